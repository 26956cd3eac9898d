import {
  deleteAllArtifacts,
  deleteArtifact,
  deleteArtifacts,
  getArtifactSegments,
  getArtifactText,
  getArtifactWords,
  listArtifacts,
  openArtifact,
  readSignedFile,
  retryArtifact,
  searchReady,
  setArtifactArchived,
  setArtifactKeywords,
  signArtifact,
  uploadArtifacts,
} from '@engram/contract';
import { replyWithFile } from '../../platform/http/file-reply.ts';
import { type Mount, parseInput } from '../../platform/http/mount.ts';
import { artifactNotFound } from './artifacts.errors.ts';
import type { ArtifactsService } from './artifacts.service.ts';
import { type FormLimits, readUploadForm } from './upload-form.ts';

export function mountArtifactsRoutes(
  mount: Mount,
  service: ArtifactsService,
  limits: FormLimits,
): void {
  mount(uploadArtifacts, async ({ caller, request }) => {
    await service.assertMayUpload(caller.userId, Number(request.headers['content-length'] ?? 0));
    const discard = (stored: Parameters<typeof service.discard>[1]) =>
      service.discard(caller, stored);
    const { stored, rejected, fields } = await readUploadForm(
      request,
      limits,
      (name, content) => service.storeFile(caller, name, content),
      discard,
    );
    try {
      const parsed = parseInput(uploadArtifacts.body, fields);
      // Whatever a program says it is, a key or an access token makes it one.
      const source = caller.sessionId === null ? 'API' : parsed.source;
      const upload = { ...parsed, source };
      return { data: await service.finishUpload(caller, stored, rejected, upload) };
    } catch (error) {
      await discard(stored);
      throw error;
    }
  });

  mount(listArtifacts, ({ caller, query }) => service.list(caller, query));

  mount(searchReady, async ({ caller }) => {
    const ready = await service.searchReady(caller.userId);
    return {
      data: ready,
      message: ready
        ? 'All files you uploaded are ready to search'
        : 'Some files you uploaded are not ready for search yet.',
    };
  });

  mount(getArtifactText, async ({ caller, params, reply }) => {
    const text = await service.text(caller.userId, params.artifactId);
    return reply
      .headers({
        'content-type': 'text/plain; charset=utf-8',
        'content-security-policy': "sandbox; default-src 'none'",
        'cache-control': 'private, no-store',
      })
      .send(text);
  });

  mount(getArtifactSegments, async ({ caller, params, query }) => ({
    data: await service.segments(caller.userId, params.artifactId, query),
  }));

  mount(getArtifactWords, async ({ caller, params, query }) => ({
    data: await service.words(caller.userId, params.artifactId, query),
  }));

  mount(signArtifact, async ({ caller, params }) => ({
    data: await service.sign(caller.userId, params.artifactId),
  }));

  mount(openArtifact, async ({ caller, params, request, reply }) => {
    if (params.userId !== caller.userId) throw artifactNotFound();
    return replyWithFile(request, reply, await service.open(caller.userId, params.artifactId));
  });

  mount(readSignedFile, async ({ params, request, reply }) =>
    replyWithFile(request, reply, await service.openSigned(params.token)),
  );

  mount(retryArtifact, async ({ caller, params }) => ({
    data: await service.retry(caller, params.artifactId),
  }));

  mount(setArtifactArchived, async ({ caller, params }) => ({
    data: await service.setArchived(caller, params.artifactId, params.archived),
  }));

  mount(setArtifactKeywords, async ({ caller, body }) => ({
    data: await service.setKeywords(caller, body.artifactId, body.keywords),
  }));

  mount(deleteArtifacts, async ({ caller, body }) => ({
    data: await service.deleteMany(caller.userId, body),
  }));

  mount(deleteAllArtifacts, async ({ caller }) => {
    await service.deleteAll(caller.userId);
    return { data: null };
  });

  mount(deleteArtifact, async ({ caller, params }) => {
    await service.delete(caller.userId, params.artifactId);
    return { data: null };
  });
}

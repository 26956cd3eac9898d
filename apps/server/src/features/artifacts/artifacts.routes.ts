import {
  changeArtifacts,
  checkArtifacts,
  deleteAllArtifacts,
  deleteArtifact,
  deleteArtifacts,
  getArtifact,
  editNote,
  getArtifactSegments,
  getArtifactText,
  getArtifactView,
  getArtifactWords,
  listArtifacts,
  openArtifact,
  placeArtifact,
  readSignedFile,
  readZip,
  renameArtifact,
  retryArtifact,
  searchReady,
  setArtifactArchived,
  setArtifactKeywords,
  signArtifact,
  uploadArtifacts,
  zipArtifacts,
} from '@engram/contract';
import { HttpError } from '../../platform/http/errors.ts';
import { disconnectSignal } from '../../platform/http/event-stream.ts';
import { replyWithFile, replyWithZip } from '../../platform/http/file-reply.ts';
import { type Mount, parseInput } from '../../platform/http/mount.ts';
import type { ArtifactDeletion } from '../deletion/artifact-deletion.ts';
import type { DevicesService } from '../devices/devices.service.ts';
import type { FileViews } from './file-views.ts';
import { artifactNotFound } from './artifacts.errors.ts';
import type { ArtifactsService } from './artifacts.service.ts';
import type { FolderFiles } from './folder-files.ts';
import { type FormLimits, readUploadForm } from './upload-form.ts';
import { fromMeta } from './upload-recording.ts';
import type { Bulk } from './bulk.ts';
import type { Zips } from './zips.ts';

interface ArtifactsServices {
  artifacts: ArtifactsService;
  bulk: Bulk;
  zips: Zips;
  views: FileViews;
  folderFiles: FolderFiles;
  artifactDeletion: ArtifactDeletion;
  devices: Pick<DevicesService, 'findOwn'>;
}

export function mountArtifactsRoutes(
  mount: Mount,
  services: ArtifactsServices,
  limits: FormLimits,
): void {
  const { artifacts: service, bulk, zips, views, folderFiles, devices } = services;
  const deletion = services.artifactDeletion;

  mount(uploadArtifacts, async ({ caller, request }) => {
    await service.assertMayUpload(caller.userId, Number(request.headers['content-length'] ?? 0));
    const discard = (stored: Parameters<typeof service.discard>[1]) =>
      service.discard(caller, stored);
    const { stored, positions, rejected, fields } = await readUploadForm(
      request,
      limits,
      (name, content) => service.storeFile(caller, name, content),
      discard,
    );
    try {
      const parsed = parseInput(uploadArtifacts.body, fields);
      if (parsed.meta.length > positions.size + rejected.length) {
        throw new HttpError(400, 'too_much_meta', 'The field meta has more entries than files.');
      }
      const sender = parsed.deviceId && (await devices.findOwn(caller, parsed.deviceId));
      // A client with an API key or access token cannot choose its source.
      const source = caller.sessionId === null ? 'API' : parsed.source;
      const upload = {
        ...parsed,
        source: sender ? ('Connector' as const) : source,
        ...(sender ? { device: sender.name } : {}),
        properties: new Map([...positions].map(([file, at]) => [file, fromMeta(parsed.meta[at])])),
      };
      return { data: await service.finishUpload(caller, stored, rejected, upload) };
    } catch (error) {
      await discard(stored);
      throw error;
    }
  });

  mount(checkArtifacts, async ({ caller, body }) => ({
    data: await folderFiles.check(caller.userId, body.files),
  }));

  mount(placeArtifact, async ({ caller, params, body }) => {
    await devices.findOwn(caller, body.deviceId);
    await folderFiles.place(caller.userId, params.artifactId, body);
    return { data: null };
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

  mount(changeArtifacts, async ({ caller, body }) => ({
    data: await bulk.change(caller.userId, body),
  }));

  mount(zipArtifacts, async ({ caller, body }) => ({
    data: await zips.sign(caller, body),
  }));

  mount(readZip, async ({ params, request, reply }) => {
    const link = await zips.find(params.token);
    return replyWithZip(request, reply, () => zips.start(link));
  });

  mount(getArtifact, async ({ caller, params }) => ({
    data: await service.get(caller, params.artifactId),
  }));

  mount(renameArtifact, async ({ caller, params, body }) => ({
    data: await service.rename(caller, params.artifactId, body.name),
  }));

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

  mount(getArtifactView, async ({ caller, params, query, reply }) => {
    const { userId } = caller;
    return { data: await views.html(userId, params.artifactId, query, disconnectSignal(reply)) };
  });

  mount(getArtifactWords, async ({ caller, params, query }) => ({
    data: await service.words(caller.userId, params.artifactId, query),
  }));

  mount(signArtifact, async ({ caller, params }) => ({
    data: await service.sign(caller, params.artifactId),
  }));

  mount(openArtifact, async ({ caller, params, request, reply }) => {
    if (params.userId !== caller.userId) throw artifactNotFound();
    const file = await service.open(caller.userId, params.artifactId, 'original');
    return replyWithFile(request, reply, file);
  });

  mount(readSignedFile, async ({ params, query, request, reply }) => {
    const { userId, artifactId, part } = await service.openLink(params.token);
    const file =
      query.picture === undefined || part === 'thumbnail'
        ? await service.open(userId, artifactId, part)
        : await views.picture(userId, artifactId, query.picture, disconnectSignal(reply));
    return replyWithFile(request, reply, file);
  });

  mount(retryArtifact, async ({ caller, params }) => ({
    data: await service.retry(caller, params.artifactId),
  }));

  mount(setArtifactArchived, async ({ caller, params }) => ({
    data: await service.setArchived(caller, params.artifactId, params.archived),
  }));

  mount(setArtifactKeywords, async ({ caller, body }) => ({
    data: await service.setKeywords(caller, body.artifactId, body.keywords),
  }));

  mount(editNote, async ({ caller, params, body }) => ({
    data: await service.editNote(caller, params.artifactId, body.text),
  }));

  mount(deleteArtifacts, async ({ caller, body }) => ({
    data: await deletion.deleteByUser(caller.userId, body),
  }));

  mount(deleteAllArtifacts, async ({ caller }) => {
    await deletion.deleteAll(caller.userId);
    return { data: null };
  });

  mount(deleteArtifact, async ({ caller, params }) => {
    const deleted = await deletion.deleteByUser(caller.userId, [params.artifactId]);
    if (deleted.length === 0) throw artifactNotFound();
    return { data: null };
  });
}

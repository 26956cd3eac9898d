import { exportAccount, importAccount, readSignedExport, signExport } from '@engram/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Core } from '../../composition/core.ts';
import type { Mount } from '../../platform/http/mount.ts';
import { type SaveFile, savesFileOf } from '../../platform/http/one-file.ts';
import type { LinkHolder } from '../../platform/http/signed-links.ts';
import { replyWithZip } from '../../platform/http/file-reply.ts';
import type { ProfileService } from '../profile/profile.service.ts';
import type { QuestionnaireService } from '../questionnaire/questionnaire.service.ts';
import { createExportService, type PortableServices } from './export.service.ts';
import { createImportService } from './import.service.ts';
import { refusal } from './portability.errors.ts';
import { createPortableProfile } from './portable-profile.ts';

/** Exports and imports all data of a user. */
export async function createPortability(
  core: Core,
  inputs: Omit<PortableServices, 'profile'> & {
    profile: ProfileService;
    questionnaire: QuestionnaireService;
  },
) {
  const profile = createPortableProfile(inputs.profile, inputs.questionnaire);
  const services = { ...inputs, profile };
  const exports = createExportService(core, services);
  const imports = await createImportService(core, services);
  const { securityEvents } = core;

  const send = (
    holder: LinkHolder & { device?: string | null },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> =>
    replyWithZip(request, reply, async () => {
      const started = await exports.start(holder);
      const { userId, device = null } = holder;
      await securityEvents.record({ kind: 'export_started', userId, ip: request.ip, device });
      return started;
    });

  const routes = (mount: Mount): void => {
    mount(exportAccount, ({ caller, request, reply }) => send(caller, request, reply));

    mount(signExport, async ({ caller, ip }) => {
      const { path, expiresAt } = exports.sign(caller);
      await securityEvents.by('export_link_made', caller, ip);
      return { data: { url: path, expiresAt: expiresAt.toISOString() } };
    });

    mount(readSignedExport, async ({ params, request, reply }) =>
      send(await exports.holderOf(params.token), request, reply),
    );

    mount(importAccount, async ({ caller, request, reply }) => {
      const disconnected = new AbortController();
      reply.raw.once('close', () => disconnected.abort(refusal('import_cancelled')));
      const bytes = Number(request.headers['content-length'] ?? 0);
      const save: SaveFile = async (filePath, options) => {
        const saved = await savesFileOf(request)(filePath, options);
        // The import may exceed the timeout of idle connections.
        request.raw.socket.setTimeout(0);
        return saved;
      };
      return { data: await imports.import(caller.userId, bytes, save, disconnected.signal) };
    });
  };

  return {
    exports,
    routes,
    async close(): Promise<void> {
      await Promise.all([exports.close(), imports.close()]);
    },
  };
}

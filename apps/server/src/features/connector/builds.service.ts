import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  type ConnectorBuild,
  connectorPlatform,
  getConnectorBuild,
  listConnectorBuilds,
} from '@engram/contract';
import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import { HttpError } from '../../platform/http/errors.ts';
import { type FileReply, replyWithFile } from '../../platform/http/file-reply.ts';
import type { Mount } from '../../platform/http/mount.ts';

const manifest = z.object({
  version: z.string().max(100),
  files: z.array(
    z.object({
      platform: connectorPlatform,
      // Without a path separator, so that it stays in the folder.
      fileName: z.string().regex(/^[\w-][\w. -]{0,150}$/u),
      size: z.number().int().positive(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/u),
    }),
  ),
});

const buildNotFound = (): HttpError =>
  new HttpError(404, 'build_not_found', 'This Connector file does not exist.');

export function createBuildsService(folder: string, log: Pick<FastifyBaseLogger, 'warn'>) {
  /** Not cached, because a build may be added while the server runs. */
  async function list(): Promise<ConnectorBuild[]> {
    let text: string;
    try {
      text = await readFile(path.join(folder, 'manifest.json'), 'utf8');
    } catch {
      return [];
    }
    try {
      const { version, files } = manifest.parse(JSON.parse(text));
      return files.map((file) => ({ ...file, version }));
    } catch (error) {
      log.warn({ err: error }, 'the manifest of the Connector cannot be read');
      return [];
    }
  }

  /** @throws HttpError 404 if the file is missing, not in the manifest or of another size */
  async function open(fileName: string): Promise<FileReply> {
    const build = (await list()).find((listed) => listed.fileName === fileName);
    if (!build) throw buildNotFound();
    const file = path.join(folder, build.fileName);
    const fileStat = await stat(file).catch(() => null);
    if (!fileStat?.isFile() || fileStat.size !== build.size) throw buildNotFound();
    return {
      fileName,
      mediaType: 'application/octet-stream',
      size: build.size,
      read: async ({ start, end }) => createReadStream(file, { start, end }),
    };
  }

  return {
    routes(mount: Mount): void {
      mount(listConnectorBuilds, async () => ({ data: await list() }));
      mount(getConnectorBuild, async ({ params, request, reply }) =>
        replyWithFile(request, reply, await open(params.fileName)),
      );
    },
  };
}

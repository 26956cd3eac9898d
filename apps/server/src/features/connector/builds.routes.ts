import { getConnectorBuild, listConnectorBuilds } from '@engram/contract';
import { replyWithFile } from '../../platform/http/file-reply.ts';
import type { Mount } from '../../platform/http/mount.ts';
import type { BuildsService } from './builds.service.ts';

export function mountBuildsRoutes(mount: Mount, service: BuildsService): void {
  mount(listConnectorBuilds, async () => ({ data: await service.list() }));

  mount(getConnectorBuild, async ({ params, request, reply }) =>
    replyWithFile(request, reply, await service.open(params.fileName)),
  );
}

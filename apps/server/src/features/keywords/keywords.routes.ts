import {
  addKeyword,
  addKeywordByBody,
  listKeywords,
  setKeywordActive,
  setKeywordActiveByPost,
} from '@engram/contract';
import type { Mount } from '../../platform/http/mount.ts';
import type { KeywordsService } from './keywords.service.ts';

export function mountKeywordsRoutes(mount: Mount, service: KeywordsService): void {
  mount(listKeywords, async ({ caller, query }) => ({
    data: await (query.files ? service.listWithFiles : service.list)(caller.userId),
  }));

  mount(addKeywordByBody, async ({ caller, body }) => ({
    data: await service.add(caller.userId, body.keyword),
  }));

  mount(addKeyword, async ({ caller, params }) => ({
    data: await service.add(caller.userId, params.keyword),
  }));

  for (const route of [setKeywordActive, setKeywordActiveByPost]) {
    mount(route, async ({ caller, params }) => ({
      data: await service.setActive(caller.userId, params.id, params.isActive),
    }));
  }
}

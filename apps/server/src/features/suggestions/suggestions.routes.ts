import { recommendedQuestions, suggestions } from '@engram/contract';
import type { Mount } from '../../platform/http/mount.ts';
import type { RecommendationsService } from './recommendations.service.ts';
import type { SuggestionsService } from './suggestions.service.ts';

export function mountSuggestionsRoutes(
  mount: Mount,
  service: SuggestionsService,
  recommendations: RecommendationsService,
): void {
  mount(suggestions, async ({ caller }) => ({ data: await service.forUser(caller.userId) }));

  mount(recommendedQuestions, async ({ caller }) => ({
    data: await recommendations.forUser(caller.userId),
  }));
}

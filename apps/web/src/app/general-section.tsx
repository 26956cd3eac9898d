import { useNavigate } from 'react-router';
import { Models } from '../features/models/components/models.tsx';
import { useRecommendedQuestions } from '../features/search/api/list-recommended-questions.ts';
import { useHasArtifacts } from '../session/use-session.ts';
import { paths } from './paths.ts';
import type { Arrival } from './use-search-screen.ts';

/** Stands in the input where the user's files suggest no question. */
const EXAMPLE = 'What can I ask about my files?';

/** The settings of the server's machine. */
export function GeneralSection() {
  const navigate = useNavigate();
  const { data: questions } = useRecommendedQuestions(useHasArtifacts());
  const question = questions?.[0];
  const arrival: Arrival = question === undefined ? { draft: EXAMPLE } : { ask: question };
  return <Models onTry={() => void navigate(paths.search, { state: arrival })} />;
}

import { useNavigate } from 'react-router';
import { Models } from '../features/models/components/models.tsx';
import { useRecommendedQuestions } from '../features/search/api.ts';
import { paths } from './paths.ts';
import type { Arrival } from './use-search-screen.ts';

export function GeneralSection() {
  const navigate = useNavigate();
  const { refetch } = useRecommendedQuestions(false);
  /** Asks a question that the user's files can answer, or opens the search page. */
  const tryModel = async (): Promise<void> => {
    const [ask] = (await refetch()).data ?? [];
    const state: Arrival = ask === undefined ? {} : { ask };
    await navigate(paths.search, { state });
  };
  return <Models onTry={() => void tryModel()} />;
}

import { Models } from '../features/models/components/models.tsx';
import { paths } from './paths.ts';

/** The settings of the server's machine. */
export const GeneralSection = () => <Models searchPath={paths.search} />;

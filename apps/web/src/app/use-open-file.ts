import { use } from 'react';
import { useNavigate } from 'react-router';
import { EvidenceContext, viewedFile, type OpenedFile } from '../artifacts/evidence.ts';
import { paths } from './paths.ts';

/** Opens a file in the pane beside the page, or on a page of its own where there is no pane. */
export function useOpenFile(): (file: OpenedFile) => void {
  const navigate = useNavigate();
  const evidence = use(EvidenceContext);
  return (file) => {
    if (evidence) evidence.open(viewedFile(file));
    else void navigate(paths.source.replace(':artifactId', file.artifactId));
  };
}

import { use } from 'react';
import { useNavigate } from 'react-router';
import { EvidenceContext, fileView, type OpenedFile } from '../artifacts/evidence.ts';
import { paths } from './paths.ts';

export function useOpenFile(): (file: OpenedFile) => void {
  const navigate = useNavigate();
  const evidence = use(EvidenceContext);
  return (file) => {
    if (evidence) evidence.open(fileView(file));
    else void navigate(paths.source.replace(':artifactId', file.artifactId));
  };
}

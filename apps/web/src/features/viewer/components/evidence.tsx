import type { Viewed } from '../../../artifacts/evidence.ts';
import { SourceViewer } from './source-viewer.tsx';

export interface EvidenceProps {
  viewed: Viewed;
  onNavigate: (n: number) => void;
  onClose: () => void;
}

/** What the evidence pane holds: a file at a place. */
export default function Evidence(props: EvidenceProps) {
  const { list, n } = props.viewed;
  const citation = list.find((candidate) => candidate.n === n);
  if (!citation) return null;
  // Another citation starts again: its own place, its own way of showing.
  return <SourceViewer key={`${n} ${citation.artifactId}`} {...props} citation={citation} />;
}

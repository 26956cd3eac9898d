import { Prose } from '../prose.tsx';

/** The text as it is, its paragraphs as far apart as they will be. */
export function RawText({ children }: { children: string }) {
  const paragraphs = children.trim().split(/\n{2,}/u);
  return (
    <Prose size="lg" style={{ whiteSpace: 'pre-line' }}>
      {paragraphs.map((text, index) => (
        // Paragraphs only ever come at the end.
        // oxlint-disable-next-line react/no-array-index-key
        <p key={index}>{text}</p>
      ))}
    </Prose>
  );
}

import classes from './markdown.module.css';

/** The text as it is, its paragraphs as far apart as they will be. */
export function RawText({ children }: { children: string }) {
  const paragraphs = children.trim().split(/\n{2,}/u);
  return (
    <div className={`${classes.prose} ${classes.raw}`}>
      {paragraphs.map((text, index) => (
        // Paragraphs only ever come at the end.
        // oxlint-disable-next-line react/no-array-index-key
        <p key={index}>{text}</p>
      ))}
    </div>
  );
}

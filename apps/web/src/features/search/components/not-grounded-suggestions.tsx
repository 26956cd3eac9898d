import { Button } from '@mantine/core';
import classes from './not-grounded-suggestions.module.css';

interface NotGroundedSuggestionsProps {
  /** Keywords that the search is narrowed to. */
  keywords: readonly string[];
  onClearKeywords: () => void;
  onUpload: () => void;
}

/** What to do when the files hold no answer. */
export function NotGroundedSuggestions(props: NotGroundedSuggestionsProps) {
  const { keywords, onClearKeywords, onUpload } = props;
  return (
    <div className={classes.suggestions}>
      <p className={classes.lead}>What you can do:</p>
      <ul className={classes.list}>
        <li>Ask in other words, as they might stand in the file: a name, a date, a number.</li>
        {keywords.length > 0 && (
          <li>Search all files: now only those with {keywords.join(', ')} are searched.</li>
        )}
        <li>Upload the file that holds the answer.</li>
      </ul>
      <div className={classes.buttons}>
        {keywords.length > 0 && (
          <Button variant="default" size="compact-md" onClick={onClearKeywords}>
            Search all files
          </Button>
        )}
        <Button variant="default" size="compact-md" onClick={onUpload}>
          Upload
        </Button>
      </div>
    </div>
  );
}

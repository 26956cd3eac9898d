import { Button, Group } from '@mantine/core';
import { uploadPanel } from '../../../artifacts/dialogs.ts';
import { Prose } from '../../../components/prose.tsx';
import type { Answer } from '../answer.ts';
import { useHasArtifacts } from '../../../session/session.ts';

interface NotGroundedSuggestionsProps extends Pick<Answer, 'keywords' | 'files'> {
  onSearchAll: () => void;
}

export default function NotGroundedSuggestions(props: NotGroundedSuggestionsProps) {
  const { keywords, files, onSearchAll } = props;
  const hasFiles = useHasArtifacts();
  const upload = (): void => uploadPanel.set(true);
  const isNarrowed = keywords.length + files.length > 0;
  if (!hasFiles) {
    return (
      <Button style={{ alignSelf: 'start' }} onClick={upload}>
        Upload files or add a note
      </Button>
    );
  }
  return (
    <Prose size="sm">
      <hr />
      <p>
        <strong>What you can do:</strong>
      </p>
      <ul>
        <li>Ask with words that the file might use: a name, a date, a number.</li>
        {keywords.length > 0 && (
          <li>Search all files: only files with {keywords.join(', ')} were searched.</li>
        )}
        {files.length > 0 && (
          <li>
            Search all files: only {files.map(({ fileName }) => fileName).join(', ')} was searched.
          </li>
        )}
        <li>Upload the file that contains the answer.</li>
      </ul>
      <Group mt={14} gap={8} align="stretch">
        {isNarrowed && (
          <Button variant="default" size="compact-md" onClick={onSearchAll}>
            Search all files
          </Button>
        )}
        <Button variant="default" size="compact-md" onClick={upload}>
          Upload
        </Button>
      </Group>
    </Prose>
  );
}

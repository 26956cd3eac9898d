import type { Artifact, ChosenFile } from '@engram/contract';
import { IconFile } from '@tabler/icons-react';
import { middleCut } from '../../../format/format.ts';
import { ChipGroup, ChipItem } from './chips.tsx';

interface RecentFilesProps {
  files: readonly Artifact[];
  selected: readonly ChosenFile[];
  onChange: (selected: ChosenFile[]) => void;
}

/** Narrows the search to one of the newest files. */
export const RecentFiles = ({ files, selected, onChange }: RecentFilesProps) => (
  <ChipGroup heading="Ask about a recent file" centered>
    {files.map(({ artifactId, artifactFileName: fileName }) => {
      const pressed = selected.some((file) => file.artifactId === artifactId);
      return (
        <ChipItem
          key={artifactId}
          pressed={pressed}
          icon={<IconFile size={15} stroke={1.8} aria-hidden="true" />}
          title={`Ask about this file: ${fileName}`}
          onClick={() => onChange(pressed ? [] : [{ artifactId, fileName }])}
        >
          {middleCut(fileName)}
        </ChipItem>
      );
    })}
  </ChipGroup>
);

import type { FolderSettings } from '../../connector.ts';
import { choice, field } from './dialog.ts';
import { h } from './dom.ts';
import { interval } from './format.ts';

const MINUTE = 60_000;
const INTERVALS = [1, 5, 15, 60, 360, 1440].map((minutes) => minutes * MINUTE);

/** The settings of a new folder. */
export const DEFAULT_SETTINGS: FolderSettings = {
  keywords: [],
  topFolderKeyword: false,
  intervalMs: 5 * MINUTE,
  archive: false,
};

const splitKeywords = (text: string): string[] => {
  const keywords = text.split(',').map((keyword) => keyword.trim());
  return [...new Set(keywords.filter(Boolean))];
};

export function folderFields(settings: FolderSettings): {
  fields: HTMLElement[];
  read: () => FolderSettings;
} {
  const keywords = h('input', {
    type: 'text',
    value: settings.keywords.join(', '),
    placeholder: 'Home, Insurance',
    autocomplete: 'off',
  });
  const topFolder = h('input', { type: 'checkbox', checked: settings.topFolderKeyword });
  const archive = h('input', { type: 'checkbox', checked: settings.archive });
  const scanInterval = choice(settings.intervalMs, INTERVALS, interval);
  return {
    fields: [
      field('Keywords', keywords, 'For every file of this folder, separated by commas.'),
      field(
        'Folders become keywords too',
        topFolder,
        'A file in Insurance/Car gets the keyword Insurance.',
      ),
      field(
        'Archive files that are removed from the folder',
        archive,
        'Otherwise they stay in Engram as they are. Files are never deleted there.',
      ),
      field(
        'Scan again',
        scanInterval.control,
        'Most changes are noticed immediately. Scans find the others.',
      ),
    ],
    read: () => ({
      keywords: splitKeywords(keywords.value),
      topFolderKeyword: topFolder.checked,
      archive: archive.checked,
      intervalMs: scanInterval.value(),
    }),
  };
}

import { QUESTION_LIMIT } from '@engram/contract/browser';
import { useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import {
  IconArrowUp,
  IconClock,
  IconDeviceDesktop,
  IconKeyboard,
  IconLogout,
  IconMessagePlus,
  IconMoon,
  IconSun,
  IconTag,
  IconUpload,
  IconWorld,
  IconWorldDownload,
  type Icon,
} from '@tabler/icons-react';
import { generatePath, useNavigate } from 'react-router';
import type { Artifact } from '@engram/contract';
import { fileView, hasEvidencePane, openEvidence } from '../artifacts/evidence.ts';
import { FileTypeIcon } from '../components/file-type-icon.tsx';
import { activeKeywords, useKeywords } from '../artifacts/keywords.ts';
import {
  Palette,
  rank,
  type EntryGroup,
  type PaletteEntry,
} from '../features/palette/components/palette.tsx';
import { useLogout } from '../features/shell/use-logout.ts';
import { palette, shortcutList } from '../features/shell/dialogs.ts';
import { destinations, profileSections, siteLinks } from '../features/shell/destinations.ts';
import { readSession } from '../session/session.ts';
import { useSavePage } from '../artifacts/save-page.ts';
import { isWebAddress } from '../artifacts/web-address.ts';
import { uploadPanel } from '../artifacts/dialogs.ts';
import { ENTRY_PARAM, filesWith, paths, searchWith } from './paths.ts';
import type { Arrival } from './use-search-screen.ts';

const MAX_KEYWORDS = 4;

const iconOf = (EntryIcon: Icon) => <EntryIcon size={18} stroke={1.7} aria-hidden="true" />;

const entry = (
  group: EntryGroup,
  icon: Icon,
  label: string,
  run: () => void,
  options: Partial<PaletteEntry> = {},
): PaletteEntry => ({ id: `${group} ${label}`, group, label, icon: iconOf(icon), run, ...options });

export default function PaletteHost() {
  const navigate = useNavigate();
  const { data: keywords } = useKeywords();
  const commands = useCommands();
  const open = ({ artifactId, artifactFileName, artifactFileType, path }: Artifact): void => {
    const file = { artifactId, fileName: artifactFileName, fileType: artifactFileType, path };
    if (hasEvidencePane()) openEvidence(fileView(file));
    else void navigate(generatePath(paths.source, { artifactId }));
  };
  const page = useSavePage();
  const savePage = (url: string): void => page.mutate({ body: { url } });
  const go = (to: string, state?: Arrival) => (): void => void navigate(to, { state });
  const pages = allPages().map(({ to, label, icon, key }) =>
    entry('Pages', icon, label, go(to), key ? { keys: ['g', key] } : {}),
  );

  return (
    <Palette
      onClose={palette.close}
      entriesFor={(words, { files, questions }) => [
        ...(isWebAddress(words)
          ? [
              entry('Ask', IconWorldDownload, 'Save this page', () => savePage(words), {
                detail: words,
              }),
            ]
          : []),
        ...(words && words.length <= QUESTION_LIMIT
          ? [entry('Ask', IconArrowUp, `Ask “${words}”`, go(paths.search, { ask: words }))]
          : []),
        ...rank(files, words, ({ artifactFileName }) => artifactFileName).map((file) => ({
          id: file.artifactId,
          group: 'Files' as const,
          label: file.artifactFileName,
          icon: (
            <FileTypeIcon fileName={file.artifactFileName} fileType={file.artifactFileType ?? ''} />
          ),
          run: () => open(file),
        })),
        ...questions.map(({ id, searchText }) =>
          entry('Questions', IconClock, searchText, go(`${paths.search}?${ENTRY_PARAM}=${id}`), {
            id,
          }),
        ),
        ...(words ? rank(activeKeywords(keywords), words, String) : [])
          .slice(0, MAX_KEYWORDS)
          .flatMap((word) => [
            entry('Keywords', IconTag, word, go(searchWith(word)), {
              id: `ask ${word}`,
              detail: 'Ask with this keyword',
            }),
            entry('Keywords', IconTag, word, go(filesWith(word)), {
              id: `files ${word}`,
              detail: 'Show its files',
            }),
          ]),
        ...rank([...pages, ...commands], words, ({ label }) => label),
      ]}
    />
  );
}

interface PageLink {
  to: string;
  label: string;
  icon: Icon;
  key?: string;
}

function allPages(): readonly PageLink[] {
  const isAdmin = readSession('isAdmin') === 'true';
  const inApp = new Set(destinations.map(({ to }) => to));
  return [
    ...destinations,
    ...profileSections
      .filter(({ admin }) => !admin || isAdmin)
      .map(({ section, label, icon }) => ({ to: `${paths.profile}#${section}`, label, icon })),
    ...siteLinks
      .filter(({ to }) => !inApp.has(to))
      .map(({ to, label }) => ({ to, label, icon: IconWorld })),
  ];
}

const schemes: readonly [MantineColorScheme, string, Icon][] = [
  ['light', 'Light', IconSun],
  ['dark', 'Dark', IconMoon],
  ['auto', 'System', IconDeviceDesktop],
];

function useCommands(): readonly PaletteEntry[] {
  const navigate = useNavigate();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const logout = useLogout();
  return [
    entry('Commands', IconMessagePlus, 'New question', () => void navigate(paths.search)),
    entry('Commands', IconUpload, 'Upload', () => uploadPanel.set(true), { keys: ['u'] }),
    ...schemes
      .filter(([scheme]) => scheme !== colorScheme)
      .map(([scheme, label, icon]) =>
        entry('Commands', icon, `Color scheme: ${label}`, () => setColorScheme(scheme)),
      ),
    entry('Commands', IconKeyboard, 'Show keyboard shortcuts', shortcutList.open, { keys: ['?'] }),
    entry('Commands', IconLogout, 'Logout', () => logout.mutate()),
  ];
}

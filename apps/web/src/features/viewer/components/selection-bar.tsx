import type { Citation } from '@engram/contract';
import { Box, Button, Paper, Portal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { isDocked } from '../../../artifacts/evidence.ts';
import { copyText } from '../../../components/notify.ts';
import { saveNote } from '../../../artifacts/save-note.ts';
import classes from './viewer.module.css';

interface Selected {
  text: string;
  /** Below the middle of the selection, in pixels of the window. */
  left: number;
  top: number;
}

const MAX_QUOTE_LENGTH = 200;

function selectionIn(element: HTMLElement | null): Selected | null {
  const selection = document.getSelection();
  const text = selection?.toString().replace(/\s+/gu, ' ').trim() ?? '';
  if (!selection || text === '' || !element?.contains(selection.anchorNode)) return null;
  const { left, width, bottom } = selection.getRangeAt(0).getBoundingClientRect();
  return {
    text,
    left: Math.min(Math.max(left + width / 2, 150), window.innerWidth - 150),
    top: Math.min(bottom, window.innerHeight - 60),
  };
}

function useTextSelection() {
  const content = useRef<HTMLDivElement>(null);
  const [selected, setSelected] = useState<Selected | null>(null);
  useEffect(() => {
    const update = (): void => setSelected(selectionIn(content.current));
    const clear = (): void => {
      if (document.getSelection()?.isCollapsed) setSelected(null);
    };
    // Shown when the pointer is released, as the selection is complete then.
    const controller = new AbortController();
    const { signal } = controller;
    document.addEventListener('pointerup', update, { signal });
    document.addEventListener('keyup', update, { signal });
    document.addEventListener('selectionchange', clear, { signal });
    return () => controller.abort();
  }, []);
  return { content, selected };
}

export function SelectionBar({ citation, children }: { citation: Citation; children: ReactNode }) {
  const { content, selected } = useTextSelection();
  return (
    <>
      <Box ref={content} display="contents">
        {children}
      </Box>
      {selected && (
        <Portal>
          <Paper
            className={classes.selection}
            pos="fixed"
            left={selected.left}
            top={selected.top}
            shadow="md"
            withBorder
            p={4}
            role="toolbar"
            aria-label="Selected text"
            // Keeps the selection when a button is pressed.
            onMouseDown={(event) => event.preventDefault()}
            data-evidence
          >
            <Actions citation={citation} text={selected.text} />
          </Paper>
        </Portal>
      )}
    </>
  );
}

function Actions({ citation, text }: { citation: Citation; text: string }) {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      saveNote(`“${text}”\n\nFrom ${citation.fileName}`, {
        what: 'passage',
        files: paths.files,
        queries,
      }),
  });
  const ask = (): void => {
    const quoted = text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH)} …` : text;
    document.getSelection()?.removeAllRanges();
    const address = pathname === paths.search ? { pathname, search } : { pathname: paths.search };
    const { artifactId, fileName } = citation;
    const state = { draft: `“${quoted}” `, files: [{ artifactId, fileName }] };
    // The question replaces the sheet's entry in the browser's history.
    void navigate(address, { state, replace: !isDocked() });
  };
  const copied = { done: 'The passage is copied.', failed: 'The passage could not be copied' };
  return (
    <Button.Group>
      <Button variant="subtle" size="compact-sm" onClick={ask}>
        Ask about this
      </Button>
      <Button variant="subtle" size="compact-sm" onClick={() => void copyText(text, copied)}>
        Copy
      </Button>
      <Button
        variant="subtle"
        size="compact-sm"
        loading={save.isPending}
        onClick={() => save.mutate()}
      >
        Save as a note
      </Button>
    </Button.Group>
  );
}

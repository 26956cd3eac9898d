import type { Citation } from '@engram/contract';
import { Box, Button, Paper, Portal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { useEvidence } from '../../../artifacts/evidence.ts';
import { copyText } from '../../../components/notify.ts';
import { saveNote } from '../../../artifacts/save-note.ts';
import classes from './viewer.module.css';

interface Selected {
  text: string;
  /** Below the middle of the selection, in pixels of the window. */
  left: number;
  top: number;
}

/** How much of a passage is quoted in a question. Questions have up to 300 characters. */
const MOST_QUOTED = 200;

function selectedIn(element: HTMLElement | null): Selected | null {
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

function useSelected() {
  const content = useRef<HTMLDivElement>(null);
  const [selected, setSelected] = useState<Selected | null>(null);
  useEffect(() => {
    const look = (): void => setSelected(selectedIn(content.current));
    const clear = (): void => {
      if (document.getSelection()?.isCollapsed) setSelected(null);
    };
    // While the pointer is down the selection still grows.
    const controller = new AbortController();
    const { signal } = controller;
    document.addEventListener('pointerup', look, { signal });
    document.addEventListener('keyup', look, { signal });
    document.addEventListener('selectionchange', clear, { signal });
    return () => controller.abort();
  }, []);
  return { content, selected };
}

export function SelectionBar({ citation, children }: { citation: Citation; children: ReactNode }) {
  const { content, selected } = useSelected();
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
            // Pressing a button keeps the selection.
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
  const { docked } = useEvidence();
  const keep = useMutation({
    mutationFn: () =>
      saveNote(`“${text}”\n\nFrom ${citation.fileName}`, {
        what: 'passage',
        files: paths.files,
        queries,
      }),
  });
  const ask = (): void => {
    const quoted = text.length > MOST_QUOTED ? `${text.slice(0, MOST_QUOTED)} …` : text;
    document.getSelection()?.removeAllRanges();
    const address = pathname === paths.search ? { pathname, search } : { pathname: paths.search };
    const { artifactId, fileName } = citation;
    const state = { draft: `“${quoted}” `, files: [{ artifactId, fileName }] };
    // The sheet is an entry of the browser's history, which the question replaces.
    void navigate(address, { state, replace: !docked });
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
        loading={keep.isPending}
        onClick={() => keep.mutate()}
      >
        Save as a note
      </Button>
    </Button.Group>
  );
}

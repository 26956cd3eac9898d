import { Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useDocumentTitle } from '../browser/document-title.ts';
import classes from './page.module.css';

interface PageProps {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  /** 'text' for prose, 'site' as wide as the home page, 'wide' for lists. */
  width?: 'text' | 'site' | 'wide';
  children?: ReactNode;
}

/** A page with its heading, which is the document title and gets the focus when the page opens. */
export function Page({ title, lead, actions, width = 'wide', children }: PageProps) {
  useDocumentTitle(title);
  return (
    <div className={classes.page} data-width={width}>
      <Group component="header" justify="space-between" align="flex-start" mb={24}>
        <Box flex="1 1 260px" miw={0}>
          <Text component="h1" fz={23} fw={650} lh={1.3} data-page-heading tabIndex={-1}>
            {title}
          </Text>
          {lead && (
            <Text maw="62ch" mt={6} c="dimmed">
              {lead}
            </Text>
          )}
        </Box>
        {actions && <Group gap={8}>{actions}</Group>}
      </Group>
      {children}
    </div>
  );
}

/** A heading for screen readers, for pages without a visible one. */
export const SpokenHeading = ({ children }: { children: string }) => (
  <h1 className="eg-visually-hidden" data-page-heading tabIndex={-1}>
    {children}
  </h1>
);

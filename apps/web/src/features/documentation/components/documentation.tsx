import { Box, Button } from '@mantine/core';
import { IconList } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { Prose } from '../../../components/prose.tsx';
import { sections } from '../contents.ts';
import { useCurrentSection } from '../use-current-section.ts';
import { ApiPart } from './api-part.tsx';
import { ContentsList } from './contents-list.tsx';
import classes from './documentation.module.css';
import { ProductPart } from './product-part.tsx';

const ContentsDrawer = lazy(() => import('./contents-drawer.tsx'));

/** One element for good: what is read stays as it is while the mark in the contents moves. */
const parts = (
  <>
    <ProductPart />
    <ApiPart />
  </>
);

/** The guide to Engram and to its API, with its contents beside it. */
export function Documentation() {
  const { current, goTo } = useCurrentSection();
  const [opened, setOpened] = useState<boolean | null>(null);
  const title = sections.find(({ id }) => id === current)?.title;
  return (
    <div className={classes.documentation}>
      <Box
        component="aside"
        className={classes.aside ?? ''}
        pos="sticky"
        top={0}
        mah="100dvh"
        py={16}
        data-contents
      >
        <ContentsList current={current} onChoose={goTo} />
      </Box>
      <div className={classes.bar}>
        <Button
          variant="default"
          size="sm"
          maw="100%"
          leftSection={<IconList size={17} stroke={1.8} />}
          aria-haspopup="dialog"
          onClick={() => setOpened(true)}
        >
          <span className="eg-visually-hidden">Contents: </span>
          {title}
        </Button>
      </div>
      {opened !== null && (
        <Suspense>
          <ContentsDrawer
            opened={opened}
            onClose={() => setOpened(false)}
            current={current}
            onChoose={(id) => {
              setOpened(false);
              goTo(id);
            }}
          />
        </Suspense>
      )}
      <Prose component="article" miw={0} maw={780}>
        {parts}
      </Prose>
    </div>
  );
}

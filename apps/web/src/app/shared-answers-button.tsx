import { Button } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';

const SharedAnswers = lazy(async () => ({
  default: (await import('../features/shares/components/shared-answers.tsx')).SharedAnswers,
}));

/** The way to the links that others can read answers by. */
export function SharedAnswersButton() {
  const [opened, setOpened] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        size="compact-md"
        // In line with the edge of what stands below.
        me={-8}
        leftSection={<IconLink size={16} stroke={1.8} />}
        onClick={() => {
          setWasOpened(true);
          setOpened(true);
        }}
      >
        Shared answers
      </Button>
      {wasOpened && (
        <Suspense>
          <SharedAnswers opened={opened} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  );
}

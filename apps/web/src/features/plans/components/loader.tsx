import { Loader as Ring } from '@mantine/core';
import { Splash } from '../../../components/logo.tsx';

const onTop = { zIndex: 300 };

export const Loader = ({ label }: { label: string }) => (
  <Splash pos="fixed" inset={0} bg="var(--eg-body)" style={onTop} aria-label={label}>
    <Ring aria-hidden="true" />
  </Splash>
);

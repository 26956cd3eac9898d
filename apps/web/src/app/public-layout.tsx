import { Stack } from '@mantine/core';
import { Outlet } from 'react-router';
import { Footer } from '../features/shell/components/footer.tsx';
import { Header } from '../features/shell/components/header.tsx';
import { PaletteContext } from '../features/shell/palette.ts';
import classes from './layout.module.css';
import { usePalette } from './use-palette.tsx';

/** Pages that anybody may read: header, page, footer. */
export function PublicLayout() {
  const palette = usePalette();
  return (
    <PaletteContext value={palette.open}>
      <Stack mih="100dvh" gap={0}>
        <Header />
        <main className={classes.main} id="main" tabIndex={-1}>
          <Outlet />
        </main>
        <Footer />
      </Stack>
      {palette.dialogs}
    </PaletteContext>
  );
}

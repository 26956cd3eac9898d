import { Box, Stack } from '@mantine/core';
import { Outlet } from 'react-router';
import { Footer } from '../features/shell/components/footer.tsx';
import { Header } from '../features/shell/components/header.tsx';
import { PaletteContext } from '../features/shell/palette.ts';
import { useSignedIn } from '../session/session.ts';
import { LazyUploadTray } from './lazy-upload-tray.tsx';
import { usePalette } from './use-palette.tsx';

export default function PublicLayout() {
  const palette = usePalette();
  const signedIn = useSignedIn();
  return (
    <PaletteContext value={palette.open}>
      <Stack mih="100dvh" gap={0}>
        <Header />
        <Box component="main" flex="1 0 auto" miw={0} id="main" tabIndex={-1}>
          <Outlet />
        </Box>
        <Footer />
      </Stack>
      {palette.dialogs}
      {signedIn && <LazyUploadTray />}
    </PaletteContext>
  );
}

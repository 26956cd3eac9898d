import { Box, Stack } from '@mantine/core';
import { Outlet } from 'react-router';
import { Footer } from '../features/shell/components/footer.tsx';
import { Header } from '../features/shell/components/header.tsx';
import { useSignedIn } from '../session/session.ts';
import { LazyUploadTray } from './lazy-upload-tray.tsx';
import { PaletteDialogs } from './palette-dialogs.tsx';

export default function PublicLayout() {
  const signedIn = useSignedIn();
  return (
    <>
      <Stack mih="100dvh" gap={0}>
        <Header />
        <Box component="main" flex="1 0 auto" miw={0} id="main" tabIndex={-1}>
          <Outlet />
        </Box>
        <Footer />
      </Stack>
      {signedIn && (
        <>
          <PaletteDialogs />
          <LazyUploadTray />
        </>
      )}
    </>
  );
}

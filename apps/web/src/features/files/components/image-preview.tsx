import { Box, Button, Center, Skeleton } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import type { Artifact } from '@engram/contract';
import { useState } from 'react';
import { Dialog, DialogFoot } from '../../../components/dialog.tsx';
import { ErrorState } from '../../../components/empty-state.tsx';
import { shortenMiddle } from '../../../format/format.ts';
import { openFile, useSignedFile } from '../../../artifacts/signed-file.ts';

interface ImagePreviewProps {
  /** Stays while the dialog closes. */
  file: Artifact;
  opened: boolean;
  onClose: () => void;
}

export default function ImagePreview({ file, opened, onClose }: ImagePreviewProps) {
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      size="auto"
      title={<span title={file.artifactFileName}>{shortenMiddle(file.artifactFileName, 48)}</span>}
    >
      <Picture key={file.artifactId} file={file} />
    </Dialog>
  );
}

function Picture({ file: { artifactId, artifactFileName } }: { file: Artifact }) {
  const signed = useSignedFile(artifactId);
  // The loaded link stays, since a newly signed one leads to the same picture.
  const [loaded, setLoaded] = useState<string | null>(null);
  const [broken, setBroken] = useState<string | null>(null);
  const src = loaded ?? signed.data?.presignedUrl;
  const isBroken = src !== undefined && src === broken;
  if (isBroken || (signed.isError && !src)) {
    return (
      <ErrorState
        title={`The picture could not be ${isBroken ? 'shown' : 'loaded'}.`}
        error={isBroken ? new Error('It may be damaged, or its link has expired.') : signed.error}
        onRetry={() => {
          setLoaded(null);
          setBroken(null);
          void signed.refetch();
        }}
      />
    );
  }
  return (
    <>
      <Center pos="relative" miw="min(280px, 72vw)" mih={180}>
        {src && (
          <Box
            component="img"
            maw="100%"
            mah="calc(100dvh - 240px)"
            bdrs={8}
            src={src}
            alt={artifactFileName}
            onLoad={() => setLoaded(src)}
            onError={() => setBroken(src)}
          />
        )}
        {!loaded && <Skeleton pos="absolute" inset={0} radius={8} />}
      </Center>
      <DialogFoot>
        <Button
          variant="default"
          leftSection={<IconExternalLink size={16} stroke={1.8} />}
          onClick={() => void openFile(artifactId)}
        >
          Open in a new tab
        </Button>
      </DialogFoot>
    </>
  );
}

import { Box, Center, UnstyledButton } from '@mantine/core';
import type { Artifact } from '@engram/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FileTypeIcon } from '../../../components/file-type-icon.tsx';
import { LINK_REFRESH_MS } from '../../../artifacts/signed-file.ts';
import { fileLists } from '../use-artifacts.ts';

const PREVIEWABLE: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif']);

const frame = { w: 40, h: 40, bdrs: 8, bg: 'var(--eg-surface-hover)' };

interface FileThumbnailProps {
  file: Artifact;
  onPreview: (file: Artifact) => void;
}

export function FileThumbnail({ file, onPreview }: FileThumbnailProps) {
  const { shown, src, onError } = useThumbnail(file);
  const { artifactFileName, artifactFileType } = file;
  const picture = shown ? (
    <Box
      component="img"
      {...frame}
      bd="1px solid var(--eg-line)"
      style={{ objectFit: 'cover' }}
      src={src}
      alt=""
      loading="lazy"
      decoding="async"
      onError={onError}
    />
  ) : (
    <FileTypeIcon fileName={artifactFileName} fileType={artifactFileType} />
  );
  const framed = (
    <Center component="span" flex="none" {...frame} aria-hidden="true">
      {picture}
    </Center>
  );
  if (!PREVIEWABLE.has(artifactFileType)) return framed;
  return (
    <UnstyledButton
      flex="none"
      bdrs={8}
      aria-label={`Preview ${artifactFileName}`}
      aria-haspopup="dialog"
      onClick={() => onPreview(file)}
    >
      {framed}
    </UnstyledButton>
  );
}

function useThumbnail({ thumbnailUrl }: Artifact) {
  const queries = useQueryClient();
  // Each read of the list has a new link to the same picture. The first one that loads stays.
  const [src, setSrc] = useState(thumbnailUrl);
  const [failed, setFailed] = useState<string | null>(null);
  if (thumbnailUrl && thumbnailUrl !== src && (src === null || src === failed)) {
    setSrc(thumbnailUrl);
  }
  const shown = thumbnailUrl !== null && src !== null && src !== failed;
  return {
    shown,
    src: src ?? '',
    onError: (): void => {
      setFailed(src);
      // The link expired before its picture was visible. The next list has new links.
      void queries.refetchQueries({
        queryKey: fileLists,
        type: 'active',
        predicate: ({ state }) => Date.now() - state.dataUpdatedAt > LINK_REFRESH_MS,
      });
    },
  };
}

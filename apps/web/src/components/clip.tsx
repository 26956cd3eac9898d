import { Box, Text, useComputedColorScheme } from '@mantine/core';
import { useState } from 'react';
import classes from './clip.module.css';

export function Clip({ name, label, children }: { name: string; label: string; children: string }) {
  const [failed, setFailed] = useState(false);
  const recording = `/demo/${name}-${useComputedColorScheme('light')}`;
  return (
    <Box component="figure" my={20}>
      <video
        className={classes.video}
        src={`${recording}.webm`}
        poster={`${recording}.webp`}
        preload="none"
        controls
        muted
        playsInline
        aria-label={label}
        onError={() => setFailed(true)}
      >
        Your browser does not support the video tag.
      </video>
      {failed && (
        <Text component="output" display="block" mt={10} size="sm" c="red">
          The clip cannot be played here. What it shows is described below.
        </Text>
      )}
      <Text component="figcaption" mt={10} size="sm" lh={1.6} c="dimmed">
        {children}
      </Text>
    </Box>
  );
}

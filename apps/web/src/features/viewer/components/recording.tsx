import { Box, Button } from '@mantine/core';
import { IconDownload, IconPlayerPlay } from '@tabler/icons-react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { Player, type PlayerProps, type Unplayed } from '../../../components/player.tsx';
import classes from './viewer.module.css';

/** A recording, or what to do with one that is not played here. */
export function Recording(props: Omit<PlayerProps, 'className' | 'renderUnplayed'>) {
  return (
    <Player
      {...props}
      className={classes.media}
      renderUnplayed={(unplayed) => <NotPlayed {...unplayed} link={props.data.presignedUrl} />}
    />
  );
}

/** What to do with a recording that is not played here. */
function NotPlayed({ isNetwork, retry, link }: Unplayed & { link: string }) {
  return (
    <Box component="output" w="100%">
      <EmptyState
        icon={<IconPlayerPlay size={22} stroke={1.6} />}
        title={
          isNetwork
            ? 'The recording could not be fetched'
            : 'Your browser cannot play this recording'
        }
        text={
          isNetwork
            ? 'Check your connection and try again.'
            : 'Download it to play it in another program. What is said in it stands here.'
        }
        action={
          isNetwork ? (
            <Button variant="default" onClick={retry}>
              Try again
            </Button>
          ) : (
            <Button
              component="a"
              variant="default"
              href={link}
              target="_blank"
              rel="noopener noreferrer"
              leftSection={<IconDownload size={16} stroke={1.8} />}
            >
              Download
            </Button>
          )
        }
      />
    </Box>
  );
}

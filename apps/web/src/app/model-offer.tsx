import { Anchor, Group, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { Link } from 'react-router';
import { IconButton } from '../components/icon-button.tsx';
import { useModels } from '../features/models/api.ts';
import { paths } from './paths.ts';

const DECLINED = 'engram-model-declined';

export default function ModelOffer() {
  const [declined, setDeclined] = useLocalStorage({ key: DECLINED, defaultValue: false });
  const { data: state } = useModels({ enabled: !declined });
  const isOpen = state?.mayChange && state.setting === null;
  if (declined || !isOpen || state.models.some(({ answers }) => answers)) return null;
  return (
    <Group mt={16} gap="4px 8px" wrap="nowrap">
      <Text fz="sm" c="dimmed">
        A language model on this machine can write an answer from these passages.{' '}
        <Anchor component={Link} to={`${paths.profile}#portfolio`} inherit underline="always">
          Choose a model
        </Anchor>
      </Text>
      <IconButton
        label="Do not offer a model"
        tooltip="Do not offer again"
        icon={IconX}
        iconSize={16}
        onClick={() => setDeclined(true)}
      />
    </Group>
  );
}

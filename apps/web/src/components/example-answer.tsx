import { Group, Paper, Stack, Text } from '@mantine/core';

export const ExampleAnswer = () => (
  <Stack
    component="figure"
    gap={18}
    m={0}
    fz={15}
    aria-label="An example of what is found for a question"
  >
    <Text
      px={16}
      py={10}
      bg="var(--eg-accent-soft)"
      fz="inherit"
      fw={600}
      style={{ alignSelf: 'flex-start', borderRadius: '14px 14px 14px 3px' }}
    >
      How much notice do I have to give for the flat?
    </Text>
    <Paper px={16} py={14} radius={12}>
      <Group gap={8} mb={8} fz={14} fw={600}>
        Lease.pdf{' '}
        <Text
          span
          ml="auto"
          px={7}
          bd="1px solid var(--eg-line)"
          fz={12}
          style={{ borderRadius: 6 }}
        >
          p. 7
        </Text>
      </Group>
      <Text fz={16} lh={1.65} c="dimmed">
        § 14 Notice.{' '}
        <mark>Either party may end the lease with three months’ notice to the end of a month</mark>,
        in writing.
      </Text>
    </Paper>
  </Stack>
);

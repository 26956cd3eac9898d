import { Box, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Metrics } from '@engram/contract';
import { paths } from '../../../app/paths.ts';
import { useMetrics, useProfile } from '../../../session/account.ts';
import { shortPlanName } from '../../../format/plan-name.ts';
import { useHasArtifacts } from '../../../session/session.ts';
import { Entry } from '../../../components/entry.tsx';
import { Avatar } from '../../../components/avatar.tsx';

/** 'Starter · 4 of 15 today', or 'Starter · 4 today' where nothing is limited. */
function planLine(metrics: Metrics): string {
  const plan = shortPlanName(metrics.plan);
  if (metrics.status === 'Expired') return `${plan} · Expired`;
  const used = metrics.daily_queries_used;
  return metrics.enforced && metrics.daily_query_limit > 0
    ? `${plan} · ${used} of ${metrics.daily_query_limit} today`
    : `${plan} · ${used} today`;
}

/** Who is signed in, and what of the plan is used. Leads to the profile once there are files. */
export function Person({ onChoose }: { onChoose?: () => void }) {
  const { data: profile } = useProfile();
  const { data: metrics } = useMetrics();
  const hasArtifacts = useHasArtifacts();
  if (!profile) return <Box mih={48} aria-hidden="true" />;
  const content = (
    <>
      <Avatar profile={profile} size={28} />
      <Box miw={0} mih="2.9em" fz={13} fw={400} lh={1.45}>
        <Text inherit truncate>
          {profile.name ?? profile.email}
        </Text>
        {metrics && (
          <Text inherit truncate c="dimmed">
            {planLine(metrics)}
          </Text>
        )}
      </Box>
    </>
  );
  return hasArtifacts ? (
    <Entry component={Link} to={paths.profile} onClick={onChoose} title={profile.email}>
      {content}
    </Entry>
  ) : (
    <Entry component="div" title={profile.email}>
      {content}
    </Entry>
  );
}

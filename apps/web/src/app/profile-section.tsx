import { LoadState } from '../components/loading-blocks.tsx';
import { Panel } from '../components/panel.tsx';
import { PlanSummary } from '../features/billing/components/plan-summary.tsx';
import { YourData } from '../features/portability/components/your-data.tsx';
import { Deletions } from '../features/profile/components/deletions.tsx';
import { ProfileForm } from '../features/profile/components/profile-form.tsx';
import { ProfileHead } from '../features/profile/components/profile-head.tsx';
import { useProfile } from '../session/account.ts';

export default function ProfileSection() {
  const call = useProfile();
  const profile = call.data;
  if (!profile) return <LoadState call={call} what="your profile" heights={[140, 280, 240]} />;
  return (
    <>
      <Panel title="Photo">
        <ProfileHead profile={profile} />
      </Panel>
      <Panel title="Details">
        <ProfileForm profile={profile} />
      </Panel>
      <PlanSummary />
      <YourData />
      <Panel title="Delete" lead="Deleted data cannot be restored." danger>
        <Deletions email={profile.email} />
      </Panel>
    </>
  );
}

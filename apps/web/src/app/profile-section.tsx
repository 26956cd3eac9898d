import { ErrorState } from '../components/error-state.tsx';
import { LoadingBlocks } from '../components/loading-blocks.tsx';
import { Panel } from '../components/panel.tsx';
import { PlanSummary } from '../features/billing/components/plan-summary.tsx';
import { YourData } from '../features/portability/components/your-data.tsx';
import { Deletions } from '../features/profile/components/deletions.tsx';
import { ProfileForm } from '../features/profile/components/profile-form.tsx';
import { ProfileHead } from '../features/profile/components/profile-head.tsx';
import { LazyDeleteAccountModal } from '../features/shell/components/lazy-delete-account-modal.tsx';
import { useDialog } from '../features/shell/use-dialog.ts';
import { useProfile } from '../lib/account.ts';

/** The person's own data, their plan, and what they can delete. */
export function ProfileSection() {
  const { data: profile, error, refetch } = useProfile();
  const deletion = useDialog();
  if (!profile) {
    return error ? (
      <ErrorState
        title="Your profile could not be loaded"
        error={error}
        onRetry={() => void refetch()}
      />
    ) : (
      <LoadingBlocks label="Loading your profile" heights={[140, 280, 240]} />
    );
  }
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
      <Panel title="Delete" lead="What is deleted here cannot be brought back." danger>
        <Deletions onDeleteAccount={deletion.open} />
      </Panel>
      <LazyDeleteAccountModal dialog={deletion} />
    </>
  );
}

import { useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { LoadState } from '../components/loading-blocks.tsx';
import { Panel } from '../components/panel.tsx';
import { PlanSummary } from '../features/billing/components/plan-summary.tsx';
import { YourData } from '../features/portability/components/your-data.tsx';
import { DeleteAccount, Deletions } from '../features/profile/components/deletions.tsx';
import { ProfileForm } from '../features/profile/components/profile-form.tsx';
import { ProfileHead } from '../features/profile/components/profile-head.tsx';
import { useProfile } from '../session/account.ts';
import { DELETE_ACCOUNT } from './paths.ts';

/** Opening and closing the dialog does not scroll, and adds no history entry. */
const IN_PLACE = { replace: true, preventScrollReset: true };

export default function ProfileSection() {
  const call = useProfile();
  const profile = call.data;
  const { hash } = useLocation();
  const navigate = useNavigate();
  const deletion = useRef<HTMLButtonElement>(null);
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
        <Deletions
          accountRef={deletion}
          onDeleteAccount={() => void navigate({ hash: DELETE_ACCOUNT }, IN_PLACE)}
        />
      </Panel>
      <DeleteAccount
        email={profile.email}
        opened={hash === DELETE_ACCOUNT}
        onClose={() => {
          void navigate({ hash: '' }, IN_PLACE);
          deletion.current?.focus();
        }}
      />
    </>
  );
}

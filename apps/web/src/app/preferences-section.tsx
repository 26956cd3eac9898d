import { FailureNote } from '../components/notice.tsx';
import { Panel } from '../components/panel.tsx';
import { TimeZoneChoice } from '../features/profile/components/time-zone-choice.tsx';
import { Preferences } from '../features/questionnaire/components/preferences.tsx';
import { useProfile } from '../session/account.ts';

export default function PreferencesSection() {
  const { data: profile, error } = useProfile();
  return (
    <>
      <Panel
        title="Time zone"
        lead="For displayed times, and to decide which questions are from today."
      >
        {!profile && error ? (
          <FailureNote title="Your time zone could not be loaded." error={error} />
        ) : (
          <TimeZoneChoice profile={profile} />
        )}
      </Panel>
      <Panel
        title="Your answers"
        lead="Your answers to the first questions. Recommended questions depend on them."
      >
        <Preferences />
      </Panel>
    </>
  );
}

import { Panel } from '../../../components/panel.tsx';
import { Export } from './export.tsx';
import { Import } from './import.tsx';

/** Everything a person has, to be taken along and brought in again. */
export function YourData() {
  return (
    <Panel
      title="Your data"
      lead="It is yours: take all of it along, or bring it in from elsewhere."
    >
      <div>
        <Export />
        <Import />
      </div>
    </Panel>
  );
}

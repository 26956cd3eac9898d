import { deleteFilePassword, listFilePasswords } from '@engram/contract/browser';
import { IconLockPassword } from '@tabler/icons-react';
import { useAction } from '../../../api/use-action.ts';
import { useCall } from '../../../api/use-call.ts';
import { ConfirmButton } from '../../../components/confirm-modal.tsx';
import { Row, Rows } from '../../../components/lists.tsx';
import { Panel } from '../../../components/panel.tsx';
import { formatDateTime } from '../../../format/format.ts';
import { When } from './security-events.tsx';

/** The saved passwords of files. Not shown without any, because few users save one. */
export function FilePasswords() {
  const { data = [] } = useCall(listFilePasswords, {}, { staleTime: 0 });
  const remove = useAction(deleteFilePassword, {
    acceptMissing: true,
    invalidates: [listFilePasswords],
  });
  if (data.length === 0) return null;
  return (
    <Panel
      title="Passwords of files"
      lead="Engram tries these on each file that you upload. They are stored encrypted and are not shown again."
    >
      <Rows label="Passwords of files">
        {data.map(({ id, fileName, createdAt }) => (
          <Row
            key={id}
            icon={IconLockPassword}
            name={<bdi>{fileName}</bdi>}
            facts={[
              <span key="saved">
                Saved <When at={createdAt} />
              </span>,
            ]}
            action={
              <ConfirmButton
                label="Remove"
                accessibleLabel={`Remove the password of ${fileName}, saved ${formatDateTime(createdAt)}`}
                button={{ variant: 'subtle', ml: 'auto' }}
                title="Remove password"
                question={`The password entered for “${fileName}” is deleted.`}
                consequence="Files that it opened stay searchable. Engram asks again for new ones."
                yes="Remove"
                action={remove}
                input={{ params: { id } }}
                failure="The password was not removed."
              />
            }
          />
        ))}
      </Rows>
    </Panel>
  );
}

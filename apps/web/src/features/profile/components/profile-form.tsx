import type { Profile } from '@engram/contract';
import { NAME_LIMIT, PHONE_LIMIT } from '@engram/contract/browser';
import { Button, Group, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { useUpdateProfile } from '../api.ts';
import { adviceFor, messageOf, notifySuccess } from '../../../components/notify.ts';
import {
  changesTo,
  detailsOf,
  formatPhone,
  validateDetails,
  type Details,
} from '../profile-form.ts';

/** Edits the profile. The e-mail address identifies the account and is read-only. */
export function ProfileForm({ profile }: { profile: Profile }) {
  const [details, setDetails] = useState<Details>(() => detailsOf(profile));
  const [errors, setErrors] = useState<Partial<Details>>({});
  const [unchanged, setUnchanged] = useState(false);
  const update = useUpdateProfile();

  const change = (field: keyof Details, value: string): void => {
    setDetails((before) => ({ ...before, [field]: value }));
    setErrors((before) => ({ ...before, [field]: undefined }));
    setUnchanged(false);
    update.reset();
  };

  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (update.isPending) return;
    const changes = changesTo(profile, details);
    const invalid = changes ? validateDetails(details) : {};
    setUnchanged(!changes);
    setErrors(invalid);
    if (!changes || Object.keys(invalid).length > 0) return;
    update.mutate(
      { body: changes },
      {
        onSuccess(saved) {
          setDetails(detailsOf(saved));
          notifySuccess('Profile updated successfully!');
        },
      },
    );
  };

  return (
    <form onSubmit={submit} noValidate>
      <SimpleGrid minColWidth="min(260px, 100%)" autoFlow="auto-fit">
        <TextInput
          label="Name"
          autoComplete="name"
          maxLength={NAME_LIMIT}
          value={details.name}
          onChange={(event) => change('name', event.currentTarget.value)}
        />
        <TextInput
          label="Email"
          description="It identifies your account and cannot be changed."
          inputWrapperOrder={['label', 'input', 'description']}
          value={profile.email}
          readOnly
          variant="filled"
        />
        <TextInput
          label="Alternative email"
          type="email"
          autoComplete="off"
          value={details.altEmail}
          error={errors.altEmail}
          onChange={(event) => change('altEmail', event.currentTarget.value)}
        />
        <TextInput
          label="Phone"
          type="tel"
          autoComplete="tel-national"
          maxLength={PHONE_LIMIT}
          value={details.phone}
          error={errors.phone}
          onChange={(event) => change('phone', formatPhone(event.currentTarget.value))}
        />
      </SimpleGrid>
      <Group gap="8px 16px" mt={16}>
        <Button type="submit" loading={update.isPending}>
          Save changes
        </Button>
        <Text component="output" size="sm" c="dimmed">
          {unchanged && 'Make changes to update your profile'}
        </Text>
        {update.isError && (
          <Text size="sm" c="red" role="alert">
            {messageOf(update.error)} <span>{adviceFor(update.error)}</span>
          </Text>
        )}
      </Group>
    </form>
  );
}

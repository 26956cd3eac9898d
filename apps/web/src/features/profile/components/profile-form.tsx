import type { BodyOf, Profile, updateProfile } from '@engram/contract';
import {
  NAME_LIMIT,
  PHONE_ERROR,
  PHONE_LIMIT,
  PHONE_PATTERN,
  refuseEmail,
} from '@engram/contract/browser';
import { Button, Group, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { useUpdateProfile } from '../api.ts';
import { ErrorText } from '../../../components/notice.tsx';
import { adviceFor, messageOf, notifySuccess } from '../../../components/notify.ts';

type Details = Record<'name' | 'altEmail' | 'phone', string>;

const detailsOf = ({ name, altEmail, phone }: Profile): Details => ({
  name: name ?? '',
  altEmail: altEmail ?? '',
  phone: phone ?? '',
});

function changesTo(profile: Profile, details: Details): BodyOf<typeof updateProfile> | null {
  const previous = detailsOf(profile);
  const change: BodyOf<typeof updateProfile> = {};
  for (const field of ['name', 'altEmail', 'phone'] as const) {
    const value = details[field].trim();
    if (value !== previous[field]) change[field] = value || null;
  }
  return Object.keys(change).length > 0 ? change : null;
}

function validateDetails({ altEmail, phone }: Details): Partial<Details> {
  const emailError = altEmail.trim() === '' ? null : refuseEmail(altEmail);
  const isPhoneValid = phone.trim() === '' || PHONE_PATTERN.test(phone.trim());
  return {
    ...(emailError && { altEmail: emailError }),
    ...(!isPhoneValid && { phone: PHONE_ERROR }),
  };
}

/** Formats ten digits as (xxx) xxx-xxxx. Other numbers stay as they were typed. */
export function formatPhone(typed: string): string {
  const digits = typed.replaceAll(/\D/gu, '');
  if (typed.includes('+') || digits.length !== 10) return typed;
  return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`;
}

export function ProfileForm({ profile }: { profile: Profile }) {
  const [details, setDetails] = useState<Details>(() => detailsOf(profile));
  const [errors, setErrors] = useState<Partial<Details>>({});
  const [unchanged, setUnchanged] = useState(false);
  const update = useUpdateProfile();

  const change = (field: keyof Details, value: string): void => {
    setDetails((previous) => ({ ...previous, [field]: value }));
    setErrors((previous) => ({ ...previous, [field]: undefined }));
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
        <ErrorText>
          {update.isError && `${messageOf(update.error)} ${adviceFor(update.error)}`}
        </ErrorText>
      </Group>
    </form>
  );
}

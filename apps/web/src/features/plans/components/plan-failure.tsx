import { ApiError } from '@engram/client';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { Notice } from '../../../components/notice.tsx';
import { messageOf } from '../../../components/notify.ts';

interface PlanFailureProps {
  title: string;
  error: unknown;
  upgrade: boolean;
}

export function PlanFailure({ title, error, upgrade }: PlanFailureProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Some browsers return a promise, which is not a cleanup function.
    void box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <Notice ref={box} tone="danger" mb={16} live="alert">
      <strong>{title}</strong> {messageOf(error)}{' '}
      <Advice status={error instanceof ApiError ? error.status : 0} upgrade={upgrade} />
    </Notice>
  );
}

/** Advice by status. The message of a 400 already says what to correct. */
const advice: Record<number, string> = {
  400: '',
  402: 'Ask your bank about the card, then try again.',
  404: 'The plans may have changed. Reload this page.',
  503: 'Try again in a few minutes.',
};

function Advice({ status, upgrade }: { status: number; upgrade: boolean }) {
  if (status !== 409) return advice[status] ?? 'Try again in a moment.';
  return upgrade ? (
    <Link to={paths.pricing}>Buy a plan instead</Link>
  ) : (
    <Link to={`${paths.pricing}?upgrade=true`}>Change your plan instead</Link>
  );
}

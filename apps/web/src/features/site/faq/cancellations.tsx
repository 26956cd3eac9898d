import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import type { Topic } from './question.ts';

export const cancellations: Topic = {
  id: 'cancellations',
  label: 'Cancellations & Refunds',
  questions: [
    {
      id: 'how-to-cancel',
      question: 'How do I cancel?',
      answer: () => (
        <p>
          With ‘Cancel Subscription’ under <Link to={`${paths.profile}#billing`}>Billing</Link>. It
          asks once more and names the day until which you keep the plan.
        </p>
      ),
    },
    {
      id: 'after-cancelling',
      question: 'What happens after I cancel?',
      answer: () => (
        <p>
          The plan goes on to the end of the period that is paid for. Then you are on Starter(Free),
          and nothing more is charged.
        </p>
      ),
    },
    {
      id: 'files-after-cancelling',
      question: 'What becomes of my files?',
      answer: () => (
        <>
          <p>
            As long as they fit into the free plan, nothing. Where limits are enforced and there are
            more, the newest are deleted one week after the plan has ended, until the rest fits.
          </p>
          <p>
            Never silently: two mails warn you before, and without both having been sent nothing is
            deleted. Until then you can export everything, delete what you choose, or take up a plan
            again.
          </p>
        </>
      ),
    },
    {
      id: 'refunds',
      question: 'Do I get money back?',
      answer: ({ payments }) =>
        payments.provider === 'stripe' ? (
          <p>
            Not by itself: cancelling keeps the plan to its end instead of paying back the rest. If
            something went wrong, write to whoever runs this server through{' '}
            <Link to={paths.contact}>Contact</Link>; they can refund a payment. Rights that the law
            gives you stay untouched.
          </p>
        ) : (
          <p>On this server no money moves, so there is none to give back.</p>
        ),
    },
    {
      id: 'payment-failed',
      question: 'My payment failed. Was I charged?',
      answer: () => (
        <p>
          A payment that was declined charges nothing and leaves your plan as it was: try again with
          another card. If the result could not be verified, look under{' '}
          <Link to={`${paths.profile}#billing`}>Billing</Link> before you pay again; a payment that
          arrives late still counts.
        </p>
      ),
    },
    {
      id: 'delete-instead',
      question: 'Does deleting my account cancel my plan?',
      answer: () => (
        <p>
          Yes, at once, with everything else of yours. To use up what is paid for, cancel first and
          delete the account when the plan has ended.
        </p>
      ),
    },
  ],
};

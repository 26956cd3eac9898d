import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import type { Topic } from './question.ts';

export const billing: Topic = {
  id: 'billing',
  label: 'Billing - Plans, Pricing & Subscription',
  questions: [
    {
      id: 'which-plans',
      question: 'Which plans are there?',
      answer: () => (
        <p>
          Starter(Free) costs nothing and never ends. Pro and Elite hold more questions and more
          storage, and are paid by the week, month, quarter or year; a quarter costs 10% less than
          three months, a year 20% less than twelve. Prices and limits stand on{' '}
          <Link to={paths.pricing}>Pricing</Link>. For more than Elite, there is{' '}
          <Link to={paths.contact}>Contact</Link>.
        </p>
      ),
    },
    {
      id: 'what-differs',
      question: 'Are answers better on a paid plan?',
      answer: () => (
        <p>
          No. Every plan reads the same kinds of files and answers in the same way. Plans differ in
          how many questions you can ask and how much you can keep.
        </p>
      ),
    },
    {
      id: 'how-to-pay',
      question: 'How do I pay?',
      answer: ({ payments }) =>
        payments.provider === 'stripe' ? (
          <p>
            By card, through Stripe. The form is Stripe’s own: your card number never reaches this
            server.
          </p>
        ) : (
          <p>
            On this server, not with money. It has no payment provider and uses a sandbox: the same
            steps with test cards, so that plans can be tried. Never enter a real card there; it
            would be refused.
          </p>
        ),
    },
    {
      id: 'change-plan',
      question: 'How do I change my plan?',
      answer: () => (
        <p>
          ‘Upgrade Plan’ under <Link to={`${paths.profile}#billing`}>Billing</Link> leads to the
          plans and changes the running one at once; what is left of it is set against the price.
          After cancelling, or from the free plan, ‘Change Plan’ lets you buy another.
        </p>
      ),
    },
    {
      id: 'renewal',
      question: 'Does my plan renew by itself?',
      answer: ({ payments }) =>
        payments.provider === 'stripe' ? (
          <p>
            Yes, at the end of each period, until you cancel it. The day stands under{' '}
            <Link to={`${paths.profile}#billing`}>Billing</Link>.
          </p>
        ) : (
          <p>
            Not in the sandbox: it charges nobody by itself. A period that has ended is renewed by
            buying the plan again.
          </p>
        ),
    },
    {
      id: 'expired',
      question: 'What does ‘Expired’ mean?',
      answer: () => (
        <p>
          That a period has ended and the next was not paid. Asking and uploading wait until the
          plan is renewed; reading, exporting and deleting go on working, and nothing is deleted for
          it.
        </p>
      ),
    },
    {
      id: 'invoices',
      question: 'Where are my invoices?',
      answer: () => (
        <p>
          Under <Link to={`${paths.profile}#invoices`}>Invoices</Link> in your profile, each as a
          PDF with its receipt.
        </p>
      ),
    },
  ],
};

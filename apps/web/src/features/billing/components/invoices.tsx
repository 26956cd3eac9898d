import type { Invoice } from '@engram/contract';
import { listInvoices } from '@engram/contract/browser';
import { Anchor, Button, Group } from '@mantine/core';
import { IconReceipt } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { Link } from 'react-router';
import { LoadState } from '../../../components/load-state.tsx';
import { useCall } from '../../../api/use-call.ts';
import { paths } from '../../../app/paths.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { Panel } from '../../../components/panel.tsx';
import { Table, type Column } from '../../../components/table.tsx';
import reach from '../../../components/text-button.module.css';
import { formatDay } from '../../../format/format.ts';
import { openInNewTab } from '../../../artifacts/open-in-new-tab.ts';
import { LINK_FRESH_MS } from '../../../artifacts/signed-file.ts';
import { capitalized, formatDollars, partsOfPlan } from '../../../format/plan-name.ts';

/** The documents of an invoice by what their links are called. */
const documents = { PDF: 'invoicePdf', Receipt: 'receiptUrl' } as const;
type DocumentName = keyof typeof documents;

/** Signs a document's link anew. */
type Sign = (invoiceNo: string, name: DocumentName) => Promise<string>;

interface Links {
  /** When the links of the invoices were signed, in milliseconds since the epoch. */
  signedAt: number;
  sign: Sign;
}

interface DocumentLinkProps extends Links {
  invoice: Invoice;
  name: DocumentName;
}

const columnsWith = (links: Links): Column<Invoice>[] => [
  { header: 'Invoice No.', kind: 'main', cell: ({ invoiceNo }) => invoiceNo },
  { header: 'Plan', cell: ({ plan }) => partsOfPlan(plan).plan },
  {
    header: 'Frequency',
    cell: ({ plan }) => {
      const { frequency } = partsOfPlan(plan);
      return frequency ? capitalized(frequency) : 'Once';
    },
  },
  { header: 'Date', kind: 'short', cell: ({ paymentDate }) => formatDay(paymentDate) },
  { header: 'Amount', kind: 'number', cell: ({ amount }) => formatDollars(amount) },
  {
    header: 'Documents',
    kind: 'short',
    cell: (invoice) => (
      <Group component="span" gap={16} wrap="nowrap">
        <DocumentLink invoice={invoice} name="PDF" {...links} />
        <DocumentLink invoice={invoice} name="Receipt" {...links} />
      </Group>
    ),
  },
];

/** A person's invoices with their documents. */
export function Invoices({ email }: { email: string }) {
  const call = useCall(
    listInvoices,
    { query: { email } },
    // The links are signed again for as long as they are shown.
    { staleTime: LINK_FRESH_MS, refetchInterval: LINK_FRESH_MS },
  );
  const { data: invoices, dataUpdatedAt, refetch } = call;
  if (!invoices) return <LoadState call={call} what="your invoices" heights={[200]} />;
  if (invoices.length === 0) return <NoInvoices />;

  const sign: Sign = async (invoiceNo, name) => {
    const { data } = await refetch({ throwOnError: true });
    const url = data?.find((invoice) => invoice.invoiceNo === invoiceNo)?.[documents[name]];
    if (!url) throw new Error('There is no such document any more.');
    return url;
  };
  return (
    <Panel title="Your invoices" lead="Newest first. Amounts are in US dollars.">
      <Table
        caption="Invoices, newest first"
        columns={columnsWith({ signedAt: dataUpdatedAt, sign })}
        rows={invoices}
        keyOf={({ invoiceNo }) => invoiceNo}
      />
    </Panel>
  );
}

const NoInvoices = () => (
  <EmptyState
    icon={<IconReceipt size={24} stroke={1.6} />}
    title="No invoices yet"
    text="Each payment of a plan brings an invoice. It stands here with its PDF and receipt."
    action={
      <Button component={Link} to={paths.pricing} variant="default">
        See the plans
      </Button>
    }
  />
);

/** A link to a document; one that may have expired is signed anew before it opens. */
function DocumentLink({ invoice, name, signedAt, sign }: DocumentLinkProps) {
  const { invoiceNo, [documents[name]]: url } = invoice;
  if (url === null) return null;

  const openAnew = (event: MouseEvent): void => {
    if (Date.now() - signedAt < LINK_FRESH_MS) return;
    event.preventDefault();
    void openInNewTab('The document could not be opened', () => sign(invoiceNo, name));
  };
  return (
    <Anchor
      className={reach.text ?? ''}
      inherit
      fw={550}
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={`${name} of invoice ${invoiceNo}`}
      onClick={openAnew}
    >
      {name}
    </Anchor>
  );
}

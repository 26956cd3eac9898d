import type { Invoice } from '@engram/contract';
import { listInvoices } from '@engram/contract/browser';
import { Anchor, Button, Group } from '@mantine/core';
import { IconReceipt } from '@tabler/icons-react';
import { Link } from 'react-router';
import { LoadState } from '../../../components/loading-blocks.tsx';
import { useCall } from '../../../api/use-call.ts';
import { paths } from '../../../app/paths.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { SignedLink } from '../../../components/signed-link.tsx';
import { Panel } from '../../../components/panel.tsx';
import { Table, type Column } from '../../../components/table.tsx';
import buttons from '../../../components/buttons.module.css';
import { formatDay, capitalized, formatDollars, partsOfPlan } from '../../../format/format.ts';
import { LINK_REFRESH_MS, openInNewTab } from '../../../artifacts/signed-file.ts';
import { useProfile } from '../../../session/account.ts';

const documents = { PDF: 'invoicePdf', Receipt: 'receiptUrl' } as const;
type DocumentName = keyof typeof documents;

interface Links {
  signedAt: number;
  renewLink: (invoiceNo: string, name: DocumentName) => Promise<string>;
}

const columnsWith = (links: Links): Column<Invoice>[] => [
  { header: 'Invoice No.', kind: 'main', cell: ({ invoiceNo }) => invoiceNo },
  { header: 'Plan', cell: ({ plan }) => partsOfPlan(plan).plan },
  {
    header: 'Frequency',
    cell: ({ plan }) => capitalized(partsOfPlan(plan).frequency ?? 'once'),
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

export default function Invoices() {
  const profile = useProfile();
  const call = useCall(
    listInvoices,
    profile.data ? { query: { email: profile.data.email } } : null,
    { staleTime: LINK_REFRESH_MS, refetchInterval: LINK_REFRESH_MS },
  );
  const { data: invoices, dataUpdatedAt: signedAt, refetch } = call;
  if (!invoices) {
    const loading = profile.data ? call : profile;
    return <LoadState call={loading} what="your invoices" heights={[200]} />;
  }
  if (invoices.length === 0) {
    return (
      <EmptyState
        icon={<IconReceipt size={24} stroke={1.6} />}
        title="No invoices yet"
        text="Each payment adds an invoice here, with its PDF and receipt."
        action={
          <Button component={Link} to={paths.pricing} variant="default">
            See the plans
          </Button>
        }
      />
    );
  }
  const renewLink: Links['renewLink'] = async (invoiceNo, name) => {
    const { data } = await refetch({ throwOnError: true });
    const url = data?.find((invoice) => invoice.invoiceNo === invoiceNo)?.[documents[name]];
    if (!url) throw new Error('This document no longer exists.');
    return url;
  };
  return (
    <Panel title="Your invoices" lead="Newest first. Amounts are in US dollars.">
      <Table
        caption="Invoices, newest first"
        columns={columnsWith({ signedAt, renewLink })}
        rows={invoices}
        keyOf={({ invoiceNo }) => invoiceNo}
      />
    </Panel>
  );
}

interface DocumentLinkProps extends Links {
  invoice: Invoice;
  name: DocumentName;
}

function DocumentLink({ invoice, name, signedAt, renewLink }: DocumentLinkProps) {
  const { invoiceNo, [documents[name]]: url } = invoice;
  if (url === null) return null;
  return (
    <Anchor
      component={SignedLink}
      className={buttons.text ?? ''}
      inherit
      fw={550}
      href={url}
      signedAt={signedAt}
      onExpired={() =>
        void openInNewTab('The document could not be opened', () => renewLink(invoiceNo, name))
      }
      aria-label={`${name} of invoice ${invoiceNo}`}
    >
      {name}
    </Anchor>
  );
}

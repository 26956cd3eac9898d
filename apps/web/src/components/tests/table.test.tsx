import { render, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Table, type Column } from '../table.tsx';

interface Fruit {
  name: string;
  price: number;
}

const columns: Column<Fruit>[] = [
  { header: 'Fruit', kind: 'main', cell: ({ name }) => name },
  { header: 'Price', kind: 'number', cell: ({ price }) => `$${price}` },
];

it('a table has a label, column headers and a label for each value', () => {
  const rows = [
    { name: 'Fig', price: 2 },
    { name: 'Plum', price: 1 },
  ];
  render(
    <Table caption="Fruit on sale" columns={columns} rows={rows} keyOf={({ name }) => name} />,
  );

  const table = screen.getByRole('table', { name: 'Fruit on sale' });
  const headers = within(table).getAllByRole('columnheader');
  expect(headers.map(({ textContent }) => textContent)).toEqual(['Fruit', 'Price']);
  const cells = within(table).getAllByRole('cell');
  expect(cells.map(({ textContent }) => textContent)).toEqual(['Fig', '$2', 'Plum', '$1']);
  expect(cells[1]?.dataset.label).toBe('Price');
});

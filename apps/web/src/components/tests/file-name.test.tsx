import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { FileName } from '../file-name.tsx';

const parts = (name: string): string[] => {
  const { container } = render(<FileName name={name} />);
  return [...container.querySelectorAll('[data-text]')].map((part) =>
    part.getAttribute('data-text')!,
  );
};

test('a name is rendered in two parts so that its end stays visible', () => {
  expect(parts('Lease Rosenweg 12.pdf')).toEqual(['Lease Rosenweg ', '12.pdf']);
  expect(parts('a.pdf').join('')).toBe('a.pdf');
});

test('a right-to-left name is rendered in one part', () => {
  expect(parts('عقد الإيجار.txt')).toEqual([]);
  expect(parts('חוזה שכירות.pdf')).toEqual([]);
});

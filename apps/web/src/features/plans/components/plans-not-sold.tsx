import { Notice } from '../../../components/notice.tsx';

/** Says that nothing can be bought here, before anybody tries. */
export const PlansNotSold = () => (
  <Notice tone="plain" mb={20}>
    <strong>Plans are not sold on this server.</strong> Whoever runs it has set up no payments. What
    the plans hold is shown all the same.
  </Notice>
);

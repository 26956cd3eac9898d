import { Outlet } from 'react-router';
import { Footer } from '../features/shell/components/footer.tsx';
import { Header } from '../features/shell/components/header.tsx';
import classes from './layout.module.css';

/** Pages that anybody may read: header, page, footer. */
export function PublicLayout() {
  return (
    <div className={classes.public}>
      <Header />
      <main className={classes.main} id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <Footer />
    </div>
  );
}

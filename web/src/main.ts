/** The entry of the bundle: the shell imports every page. */
import "./components/shell/app";

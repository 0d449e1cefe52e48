import ProjectsPage from "./ProjectsPage";

/** The list with the form for a new project open, for users who come from the palette. */
export default function NewProjectPage() {
  return <ProjectsPage creates />;
}

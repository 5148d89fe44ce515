// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/grammar/grammar_build.hpp"

/// Grammar of the mappings of a participant.
namespace isthmus::grammar::table {

constexpr std::array mapping_ends = {
    optional("from", Type::text, "",
             "Mesh to map from; omitted: the points of a call, just in time."),
    optional("to", Type::text, "", "Mesh to map to; omitted: the points of a call, just in time."),
    required("direction", Type::text,
             "write maps data before it is sent, read after it was received.", "write, read"),
    required(
        "constraint", Type::text,
        "consistent keeps values, conservative keeps their sum, scaled-consistent-* keeps values "
        "and corrects them such that the integral is kept.",
        "conservative, consistent, scaled-consistent-surface, scaled-consistent-volume")};
constexpr auto mapping_attributes =
    join(mapping_ends,
         std::array{optional("parallel", Type::boolean, "false",
                             "Lifts preCICE's rule that several ranks need consistent with read "
                             "and conservative with write. Not known to preCICE.")});

// radial basis functions

constexpr std::array support_radius = {
    required("support-radius", Type::real, "Distance at which the function becomes zero.")};
constexpr std::array shape_parameter = {
    required("shape-parameter", Type::real, "Factor on the distance; larger is narrower.")};
constexpr std::array gaussian_shape = {
    optional("shape-parameter", Type::real, "nan", "Factor on the distance; larger is narrower."),
    optional("support-radius", Type::real, "nan",
             "Distance at which the function is cut off; instead of shape-parameter.")};

constexpr Tag compact_c0{"basis-function:compact-polynomial-c0",
                         "Wendland's function of compact support, continuous.", support_radius};
constexpr Tag compact_c2{"basis-function:compact-polynomial-c2",
                         "Wendland's function of compact support, C2.", support_radius};
constexpr Tag compact_c4{"basis-function:compact-polynomial-c4",
                         "Wendland's function of compact support, C4.", support_radius};
constexpr Tag compact_c6{"basis-function:compact-polynomial-c6",
                         "Wendland's function of compact support, C6; a good first choice.",
                         support_radius};
constexpr Tag compact_c8{"basis-function:compact-polynomial-c8",
                         "Wendland's function of compact support, C8.", support_radius};
constexpr Tag compact_tps{"basis-function:compact-tps-c2",
                          "Thin plate spline of compact support, C2.", support_radius};
constexpr Tag multiquadrics{"basis-function:multiquadrics", "Multiquadrics, of global support.",
                            shape_parameter};
constexpr Tag inverse_multiquadrics{"basis-function:inverse-multiquadrics",
                                    "Inverse multiquadrics, of global support.", shape_parameter};
constexpr Tag gaussian{"basis-function:gaussian",
                       "Gaussian bell, by shape-parameter or by support-radius.", gaussian_shape};
constexpr Tag thin_plate{"basis-function:thin-plate-splines",
                         "Thin plate splines, of global support, without parameter."};
constexpr Tag volume_splines{"basis-function:volume-splines",
                             "Volume splines, of global support, without parameter."};

constexpr auto basis_functions =
    each(Occurs::optional, compact_c0, compact_c2, compact_c4, compact_c6, compact_c8, compact_tps,
         multiquadrics, inverse_multiquadrics, gaussian, thin_plate, volume_splines);

constexpr std::array gpu = {
    optional("gpu-device-id", Type::text, "0", "Number of the device to use.")};
constexpr std::array threads = {
    optional("n-threads", Type::integer, "0", "Number of threads; 0: as many as OpenMP chooses.")};
constexpr std::array execution_mode = {optional(
    "execution-mode", Type::text, "minimal-memory",
    "Whether to save memory or computation on the device.", "minimal-memory, minimal-compute")};
constexpr auto gpu_with_mode = join(gpu, execution_mode);
constexpr auto threads_with_mode = join(threads, execution_mode);

constexpr Tag cpu{"executor:cpu", "Computes on the processor, without threads."};
constexpr Tag cuda{"executor:cuda", "Computes on an NVIDIA device.", gpu};
constexpr Tag hip{"executor:hip", "Computes on an AMD device.", gpu};
constexpr Tag openmp{"executor:openmp", "Computes with threads.", threads};
constexpr Tag pum_cuda{"executor:cuda", "Computes on an NVIDIA device.", gpu_with_mode};
constexpr Tag pum_hip{"executor:hip", "Computes on an AMD device.", gpu_with_mode};
constexpr Tag pum_sycl{"executor:sycl", "Computes on a device through SYCL.", gpu_with_mode};
constexpr Tag pum_openmp{"executor:openmp", "Computes with threads.", threads_with_mode};

constexpr auto direct_executors = each(Occurs::optional, cpu, cuda, hip);
constexpr auto iterative_executors = join(direct_executors, each(Occurs::optional, openmp));
constexpr auto pum_executors = each(Occurs::optional, cpu, pum_cuda, pum_hip, pum_sycl, pum_openmp);

constexpr std::array polynomial = {
    optional("polynomial", Type::text, "separate",
             "Linear part of the interpolant: solved for before (separate), within the system (on) "
             "or absent (off).",
             "on, off, separate")};
constexpr std::array dead_axes = {
    optional("x-dead", Type::boolean, "false", "Ignore the x coordinate."),
    optional("y-dead", Type::boolean, "false", "Ignore the y coordinate."),
    optional("z-dead", Type::boolean, "false", "Ignore the z coordinate.")};
constexpr std::array tolerance = {
    optional("solver-rtol", Type::real, "1e-9", "Relative tolerance of the iterative solver.")};
constexpr std::array clusters = {
    optional("polynomial", Type::text, "separate",
             "Linear part of the interpolant: solved for before (separate) or absent (off).",
             "off, separate"),
    optional("vertices-per-cluster", Type::integer, "50", "Wanted number of vertices per cluster."),
    optional("relative-overlap", Type::real, "0.15",
             "Overlap of clusters, relative to their size."),
    optional("project-to-input", Type::boolean, "true",
             "Move the centres of clusters to the nearest vertex.")};

constexpr auto rbf_attributes = join(mapping_attributes, dead_axes);
constexpr auto rbf_direct_attributes = join(mapping_attributes, polynomial, dead_axes);
constexpr auto rbf_iterative_attributes =
    join(mapping_attributes, polynomial, dead_axes, tolerance);
constexpr auto rbf_pum_attributes = join(mapping_attributes, clusters);
constexpr auto rbf_direct_children = join(basis_functions, direct_executors);
constexpr auto rbf_iterative_children = join(basis_functions, iterative_executors);
constexpr auto rbf_pum_children = join(basis_functions, pum_executors);

// coarse graining and meshes of different dimension

constexpr auto coarse_attributes =
    join(mapping_attributes,
         std::array{optional("radius", Type::real, "0", "Radius of the averaging kernel.")});
constexpr std::array scale_geometry = {
    required("multiscale-type", Type::text,
             "spread: from the smaller to the larger dimension; collect: back.", "spread, collect"),
    required("multiscale-axis", Type::text, "Main axis of the larger domain.", "x, y, z")};
constexpr std::array scale_radial = {
    Attribute{"multiscale-radius", Type::real, true, {}, {}, "Means nothing.", true}};
constexpr std::array scale_axial = {
    required("multiscale-radius", Type::real, "Radius of the cross section."),
    required("multiscale-dimension", Type::text, "Dimensions of the two domains.",
             "1d-3d, 1d-2d, 2d-3d"),
    optional("multiscale-cross-section-profile", Type::text, "uniform",
             "Profile of the values over the cross section.", "uniform, parabolic"),
    optional("multiscale-cross-section", Type::text, "circle", "Shape of the cross section.",
             "circle, square")};
constexpr auto radial_attributes = join(mapping_attributes, scale_geometry, scale_radial);
constexpr auto axial_attributes = join(mapping_attributes, scale_geometry, scale_axial);

constexpr Tag nearest_neighbor{"mapping:nearest-neighbor", "Takes the value of the nearest vertex.",
                               mapping_attributes};
constexpr auto projection_attributes =
    join(mapping_attributes,
         std::array{optional("search", Type::text, "candidates",
                             "Where points go: to the closest of a few candidates, as in preCICE, "
                             "or to the closest place of all. Not known to preCICE.",
                             "candidates, closest")});
constexpr Tag nearest_projection{
    "mapping:nearest-projection",
    "Projects onto the nearest triangle, edge or vertex and interpolates linearly there.",
    projection_attributes};
constexpr Tag nearest_neighbor_gradient{
    "mapping:nearest-neighbor-gradient",
    "Takes the value of the nearest vertex, corrected by its gradient.", mapping_attributes};
constexpr auto linear_cell_attributes =
    join(mapping_attributes,
         std::array{optional("outside", Type::text, "candidates",
                             "Where points outside go: to the closest of a few candidates, as in "
                             "preCICE, or to the closest place of all. Not known to preCICE.",
                             "candidates, closest")});
constexpr Tag linear_cell{
    "mapping:linear-cell-interpolation",
    "Interpolates linearly in triangles (2D) or tetrahedra (3D); projects outside of them.",
    linear_cell_attributes};
constexpr Tag rbf_iterative{"mapping:rbf-global-iterative",
                            "Radial basis functions, one sparse system solved iteratively.",
                            rbf_iterative_attributes, rbf_iterative_children};
constexpr Tag rbf_direct{"mapping:rbf-global-direct",
                         "Radial basis functions, one dense system solved directly.",
                         rbf_direct_attributes, rbf_direct_children};
constexpr Tag rbf_pum{"mapping:rbf-pum-direct",
                      "Radial basis functions on overlapping clusters (partition of unity).",
                      rbf_pum_attributes, rbf_pum_children};
constexpr Tag rbf{"mapping:rbf",
                  "Radial basis functions with sensible settings: clusters of 100 vertices with an "
                  "overlap of 0.3.",
                  rbf_attributes, basis_functions};
constexpr Tag coarse_graining{"mapping:coarse-graining",
                              "Averages particles onto a mesh with a smooth kernel; experimental.",
                              coarse_attributes};
constexpr Tag axial{"mapping:axial-geometric-multiscale",
                    "Joins domains of different dimension along an axis; experimental.",
                    axial_attributes};
constexpr Tag radial{"mapping:radial-geometric-multiscale",
                     "Joins domains of different dimension across an axis; experimental.",
                     radial_attributes};

constexpr Tag intersection{"mapping:intersection",
                           "Projects linear functions on the intersections of triangles (3D) or "
                           "edges (2D) of both meshes; "
                           "keeps integrals on plane surfaces. Not known to preCICE.",
                           mapping_ends};

constexpr auto automatic_attributes = join(
    mapping_ends, std::array{optional("gradients", Type::boolean, "false",
                                      "The solver writes gradients of the data mapped; they are "
                                      "used where the mesh has no elements.")});
constexpr Tag automatic{"mapping:auto",
                        "Chooses the kind of mapping by the elements and vertices of both meshes "
                        "when they are known, and says why in the log. Not known to preCICE.",
                        automatic_attributes};

constexpr auto mappings =
    each(Occurs::any, nearest_neighbor, nearest_projection, nearest_neighbor_gradient, linear_cell,
         rbf_iterative, rbf_direct, rbf_pum, rbf, coarse_graining, axial, radial, intersection,
         automatic);

} // namespace isthmus::grammar::table

# Unity builds: the sources of one folder are compiled several at a time, as
# one unit. Most of the cost of a source is its headers, so a cold build takes
# about half as long. A unit never mixes folders: names in anonymous namespaces
# have to be unique only among the sources of their folder, and a new file
# changes only the units of its own folder.
#
# CMake's own UNITY_BUILD includes by absolute path, which ccache cannot share
# between two checkouts. These units include by the path in the tree.
option(RIVERSTONE_UNITY "Compile the sources of a folder together" ON)
set(RIVERSTONE_UNITY_FILES 8)  # At most, in one unit.
if(RIVERSTONE_UNITY)  # To the compiler a source of a unit looks like a header.
  target_compile_options(riverstone_flags INTERFACE -Wno-subobject-linkage)
endif()

# riverstone_units(VARIABLE SOURCE...): sets VARIABLE to what a target compiles
# instead of these sources.
function(riverstone_units variable)
  set(${variable} ${ARGN} PARENT_SCOPE)
  if(NOT RIVERSTONE_UNITY)
    return()
  endif()
  set(folders "")
  foreach(source ${ARGN})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    cmake_path(GET source PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER ${folder} id)
    list(APPEND folders ${id})
    list(APPEND sources_of_${id} ${source})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  set(units "")
  foreach(id ${folders})
    list(LENGTH sources_of_${id} files)
    if(files EQUAL 1)
      list(APPEND units ${PROJECT_SOURCE_DIR}/${sources_of_${id}})
      continue()
    endif()
    # Other targets may have units of the same folder.
    get_property(taken GLOBAL PROPERTY riverstone_units_of_${id})
    # As few units as possible, all of about the same size.
    math(EXPR last "(${files} - 1) / ${RIVERSTONE_UNITY_FILES}")
    foreach(number RANGE ${last})
      math(EXPR begin "${files} * ${number} / (${last} + 1)")
      math(EXPR count "${files} * (${number} + 1) / (${last} + 1) - ${begin}")
      list(SUBLIST sources_of_${id} ${begin} ${count} included)
      list(TRANSFORM included REPLACE "(.+)" "#include \"\\1\"\n")
      string(JOIN "" text ${included})
      math(EXPR index "0${taken} + ${number}")
      set(unit ${PROJECT_BINARY_DIR}/units/${id}_${index}.cc)
      file(CONFIGURE OUTPUT ${unit} CONTENT "${text}" @ONLY)
      list(APPEND units ${unit})
    endforeach()
    math(EXPR taken "0${taken} + ${last} + 1")
    set_property(GLOBAL PROPERTY riverstone_units_of_${id} ${taken})
  endforeach()
  set(${variable} ${units} PARENT_SCOPE)
endfunction()

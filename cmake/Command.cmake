# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The command, of tools/jccsafe. It calls the shared libraries; without LLVM it has no `as`.
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/jccsafe/*.c)
if(sources AND TARGET jccsafe_elf)
  add_executable(jccsafe ${sources})
  jccsafe_c11(jccsafe)
  set_target_properties(jccsafe PROPERTIES INSTALL_RPATH "$ORIGIN/${JCCSAFE_BIN_TO_LIB}")
  target_link_libraries(jccsafe PRIVATE jccsafe_warnings jccsafe::elf $<TARGET_NAME_IF_EXISTS:jccsafe::llvm>)
  target_compile_definitions(jccsafe PRIVATE JCCSAFE_HAVE_LLVM=$<BOOL:$<TARGET_NAME_IF_EXISTS:jccsafe::llvm>>)
  # --report=json
  find_package(Jansson MODULE QUIET)
  target_link_libraries(jccsafe PRIVATE $<TARGET_NAME_IF_EXISTS:Jansson::Jansson>)
  target_compile_definitions(jccsafe PRIVATE JCCSAFE_HAVE_JANSSON=$<BOOL:$<TARGET_NAME_IF_EXISTS:Jansson::Jansson>>)
  if(JCCSAFE_INSTALL)
    install(TARGETS jccsafe RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    # Under this name it takes GNU as's options: `gcc -B` is given the folder.
    if(TARGET jccsafe::llvm)
      set(folder ${CMAKE_INSTALL_LIBDIR}/jccsafe)
      file(RELATIVE_PATH command ${CMAKE_INSTALL_PREFIX}/${folder} ${CMAKE_INSTALL_FULL_BINDIR}/jccsafe)
      file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/installed)
      file(CREATE_LINK ${command} ${PROJECT_BINARY_DIR}/installed/as SYMBOLIC)
      install(FILES ${PROJECT_BINARY_DIR}/installed/as DESTINATION ${folder})
    endif()
  endif()
endif()
